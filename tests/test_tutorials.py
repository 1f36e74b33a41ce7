"""The code of the two tutorials on PyTorch that the library grew from, where they are at hand.

They are not part of the repository, because the text is not ours; `test_torch_room.py` covers the same ground. Here
each block of code is run with one line changed, the import, and what it prints is compared with what its comments say.
"""

import ast
import builtins
import contextlib
import io
import re
from pathlib import Path

import pytest

import gradarray.torch

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "tutorials"
TUTORIALS = sorted(FOLDER.glob("*.txt"))
#: How a comment begins that says what is printed, and not why.
VALUE = re.compile(r"torch\.\w+|tensor\(|device\(|\[|True\b|False\b|None\b|-?\d")


def code_of(line):
    """The line without its comment; None if it is prose: it does not parse, or is nothing but names."""
    text = line.split("#")[0].rstrip()
    opener = text + " pass" if text.endswith(":") else text
    try:
        tree = ast.parse(opener.strip())
    except SyntaxError:
        return None
    words = (ast.Expr, ast.Name, ast.Tuple, ast.BoolOp, ast.And, ast.Or, ast.Load, ast.Module)
    if tree.body and all(isinstance(node, words) for node in ast.walk(tree)):
        return None
    return text if tree.body else ""


def blocks(text):
    """The blocks of code in the text of a page, each a list of pairs of code and comment."""
    # Where the page had boxes, the text of the next one may follow without a line of its own.
    text = re.sub(r"(?<=\S)import torch$", "\nimport torch", text, flags=re.MULTILINE)
    found, here, open_line = [], [], False
    for line in text.splitlines():
        code = code_of(line)
        if not line.strip():
            continue
        if code is None or (not code and not line.lstrip().startswith("#")):
            found.append(here)
            here = []
            continue
        if open_line and not code.startswith(" "):
            code = "    " + code  # indentation that the page has lost
        open_line = code.endswith(":")
        here.append((code, line.partition("#")[2].strip()))
    return [block for block in [*found, here] if any(code for code, _ in block)]


def statements(block):
    """Each statement of a block with the comment on its last line; a comment that stands alone with nothing."""
    lines = [code for code, _ in block]
    tree = ast.parse("\n".join(lines))
    for statement in tree.body:
        yield statement.lineno, statement, block[statement.end_lineno - 1][1]
    for number, (code, comment) in enumerate(block, 1):
        if not code:
            yield number, None, comment


def printed(statement, names):
    """What a statement prints, or, if it is an expression, what an interpreter would print of it."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        if isinstance(statement, ast.Expr):
            value = eval(compile(ast.Expression(statement.value), "<tutorial>", "eval"), names)
            if value is not None:
                print(repr(value))
        else:
            exec(compile(ast.Module([statement], []), "<tutorial>", "exec"), names)
    return text.getvalue().rstrip("\n")


def says(comment, output, *, random):
    """Whether a comment begins with the output; of random numbers, with as many of the same form."""
    if random:
        numbers = re.compile(r"\s*-?\d+\.\d+")
        comment, output = numbers.sub("N", comment), numbers.sub("N", output)
    rest = comment[len(output) :]
    return comment.startswith(output) and not (output[-1:].isalnum() and rest[:1].isalnum())


def random_names(statement, known):
    """The names that a statement gives to random numbers."""
    if not isinstance(statement, ast.Assign):
        return set()
    used = {node.attr for node in ast.walk(statement.value) if isinstance(node, ast.Attribute)}
    used |= {node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)}
    chance = any(name.startswith("rand") for name in used) or used & known
    return {target.id for target in statement.targets if isinstance(target, ast.Name)} if chance else set()


class Line:
    """A model as the tutorials have one: called with inputs, and moved to a device."""

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, inputs):
        return inputs @ self.weight

    def to(self, device):
        return Line(self.weight.to(device))


class Clearing:
    """As much of an optimiser as the tutorials call: it clears the gradients of its parameters."""

    def __init__(self, parameters):
        self.parameters = parameters

    def zero_grad(self):
        for parameter in self.parameters:
            parameter.grad = None


def given(torch):
    """What the tutorials speak of without making it: a model, its inputs, and its optimiser."""
    model = Line(torch.ones(2, 1, requires_grad=True))
    return {"model": model, "inputs": torch.ones(3, 2), "optimizer": Clearing([model.weight])}


beside = pytest.mark.skipif(not TUTORIALS, reason="the folder shared/tutorials is not beside the repository")
each = pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)


@beside
@each
def test_the_blocks_print_what_their_comments_say(path):
    torch = gradarray.torch
    text = path.read_text(encoding="utf-8")
    names = given(torch)
    chance, compared = set(), 0
    for block in blocks(text):
        for _, statement, comment in sorted(statements(block), key=lambda entry: entry[0]):
            if statement is None:
                if error := re.match(r"(\w+Error): (.*)", comment):
                    check_mismatch(torch, *error.groups())
                    compared += 1
                continue
            if ast.unparse(statement) == "import torch":
                names["torch"] = torch
                continue
            chance |= random_names(statement, chance)
            output = printed(statement, names)
            is_print = isinstance(statement, ast.Expr) and ast.unparse(statement).startswith("print(")
            if comment and (is_print or (output and VALUE.match(comment))):
                used = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
                assert says(comment, output, random=bool(used & chance)), f"{ast.unparse(statement)}: {output}"
                compared += 1
    # None may be lost on the way.
    assert compared == len(re.findall(rf"#\s*(?:{VALUE.pattern}|\w+Error: )", text)) > 0


def check_mismatch(torch, name, message):
    """That operands on two devices give the error that a tutorial names."""
    with pytest.raises(getattr(builtins, name), match=re.escape(message)):
        torch.ones(2) + torch.ones(2, device="strict:device1")


@beside
@each
def test_every_name_of_pytorchs_in_the_text_is_there_or_explained(path):
    text = path.read_text(encoding="utf-8")
    for name in sorted(set(re.findall(r"\btorch\.(\w+)", text))):
        if name == "Size" or hasattr(gradarray.torch, name):
            continue
        with pytest.raises(AttributeError, match="; use "):
            getattr(gradarray.torch, name)
    tensor = gradarray.torch.ones(1, 2, requires_grad=True)
    for name in sorted(set(re.findall(r"(?<![\w)])\.(\w+)\(", text))):
        assert hasattr(tensor, name), name


def test_the_reader_of_pages_finds_code_and_what_it_says():
    page = """Making things

import torch
a = torch.ones(2) # two of them
print(a) # tensor([1., 1.])Next heading
with torch.no_grad(): # nothing is recorded
b = a * 2
b.shape      # torch.Size([2])
Prose, and more of it. Table of names
| `a.sum()` | adds |
print(a.sum()) # tensor(2.)import torch
print(len(a)) # 2
"""
    first, second = blocks(page)
    assert [code for code, _ in first] == [
        "import torch",
        "a = torch.ones(2)",
        "print(a)",
        "with torch.no_grad():",
        "    b = a * 2",
        "b.shape",
    ]
    assert [code for code, _ in second] == ["print(a.sum())", "import torch", "print(len(a))"]
    assert says("tensor([1., 1.])Next heading", "tensor([1., 1.])", random=False)
    assert not says("tensor([1., 2.])", "tensor([1., 1.])", random=False)
    assert not says("14 -> the answer", "1", random=False)
    assert says("tensor([ 1.5410, -0.2934])", "tensor([-0.1257,  0.6404])", random=True)
    assert not says("tensor([ 1.5410, -0.2934])", "tensor([0.6404])", random=True)
