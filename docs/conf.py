"""How Sphinx builds the documentation; the reference is made from the docstrings, one page for each chapter."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from pathlib import Path
from types import ModuleType

import gradarray as ga
from gradarray import autograd, backend, ops, scipy, testing

project = "gradarray"
author = "The gradarray developers"
copyright = f"2026, {author}"
release = version = ga.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
html_theme_options = {
    "description": "Differentiable arrays for the Python array API standard",
    "fixed_sidebar": True,
    "page_width": "1100px",
}
html_show_sphinx = False
html_copy_source = False

myst_heading_anchors = 3
autodoc_typehints = "none"  # the docstrings say it in words
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False


def chapters() -> dict[str, list[str]]:
    """The public functions of each chapter: what its module defines and the namespace exports."""
    found: dict[str, list[str]] = {}
    for info in pkgutil.walk_packages(ops.__path__, "gradarray.ops."):
        chapter = info.name.split(".")[2]
        if chapter.startswith("_"):
            continue
        module = importlib.import_module(info.name).__name__
        names = [name for name in ga.__all__ if getattr(getattr(ga, name), "__module__", "") == module]
        found.setdefault(chapter, []).extend(names)
    return {chapter: sorted(names, key=str.lower) for chapter, names in sorted(found.items()) if names}


def functions(module: object) -> list[str]:
    """The public functions and classes that a module offers."""
    public = getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]
    return sorted(name for name in public if inspect.isroutine(getattr(module, name)))


def page(title: str, *entries: str, module: str = "gradarray") -> str:
    """A page of directives."""
    return "\n".join([title, "=" * len(title), "", f".. currentmodule:: {module}", "", *entries]) + "\n"


def documented(directive: str, names: list[str], *options: str) -> list[str]:
    """A directive for each name."""
    return [line for name in names for line in (f".. {directive}:: {name}", *[f"   {o}" for o in options], "")]


def room_page(module: ModuleType) -> str:
    """A page of `gradarray.scipy`: functions, classes, and objects by their classes."""
    others = [getattr(module, name) for name in module.__all__ if not inspect.isroutine(getattr(module, name))]
    classes = [thing for thing in others if inspect.isclass(thing)]
    objects = [thing for thing in others if not inspect.isclass(thing)]
    listed = [f"- ``{type(thing).__name__.lstrip('_')}``: {inspect.getdoc(thing)}" for thing in objects]
    # Families of distributions have their methods from one class.
    bases = {base if (base := type(thing).__mro__[1]) is not object else type(thing) for thing in objects}
    shown = sorted({*classes, *bases}, key=lambda found: found.__name__)
    return page(
        module.__name__,
        f".. automodule:: {module.__name__}",
        "",
        *documented("autofunction", functions(module)),
        *listed,
        "",
        *[line for one in shown for line in documented("autoclass", [f"{one.__module__}.{one.__name__}"], ":members:")],
        module=module.__name__,
    )


def pages() -> dict[str, str]:
    """The reference, by name of its page."""
    errors = [n for n in ga.__all__ if inspect.isclass(getattr(ga, n)) and issubclass(getattr(ga, n), Exception)]
    names = ["get_device", "set_default_device", "memory_info", "set_float32_matmul_precision"]
    devices = documented("autofunction", names)
    modes = documented("autofunction", ["is_grad_enabled", "zero_grad"])
    found = {
        "array": page("The array object", *documented("autoclass", ["Array"], ":members:")),
        "devices": page("Devices", *documented("autoclass", ["Device", "device", "MemoryInfo"]), *devices),
        "gradients": page(
            "Recording", *documented("autoclass", ["no_grad", "enable_grad", "set_grad_enabled"]), *modes
        ),
        "autograd": page(
            "gradarray.autograd",
            *documented("autofunction", functions(autograd)),
            *documented("autoclass", ["detect_anomaly", "saved_values_hooks"]),
            module=autograd.__name__,
        ),
        "errors": page("Exceptions", *documented("autoexception", errors, ":show-inheritance:")),
        "testing": page("gradarray.testing", *documented("autofunction", functions(testing)), module=testing.__name__),
        "backend": page(
            "gradarray.backend", *documented("autoclass", ["Backend"], ":members:"), module=backend.__name__
        ),
    }
    for room in scipy.__all__:
        found[f"scipy_{room}"] = room_page(importlib.import_module(f"gradarray.scipy.{room}"))
    for chapter, names in chapters().items():
        found[f"ops_{chapter}"] = page(chapter.replace("_", " ").capitalize(), *documented("autofunction", names))
    for extension in ("linalg", "fft"):
        if hasattr(ga, extension):
            names = functions(getattr(ga, extension))
            found[f"ops_{extension}"] = page(
                f"gradarray.{extension}", *documented("autofunction", names), module=f"gradarray.{extension}"
            )
    return found


def write_reference(_app: object) -> None:
    """Write the reference's pages, so that no list of names has to be kept by hand."""
    folder = Path(__file__).parent / "api"
    folder.mkdir(exist_ok=True)
    for name, text in pages().items():
        (folder / f"{name}.rst").write_text(text)


def setup(app) -> None:
    """Sphinx calls this once."""
    app.connect("builder-inited", write_reference)
