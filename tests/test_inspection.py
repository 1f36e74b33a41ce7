"""A look into the graph: anomaly detection, and pictures."""

import sys

import numpy as np
import pytest

import gradarray as ga

pytestmark = pytest.mark.usefixtures("device")


def leaf(*values):
    return ga.asarray(list(values), dtype=ga.float64, requires_grad=True)


class TestDetectAnomaly:
    def test_the_forward_line_is_named(self):
        x = leaf(0.0, 1.0)
        with ga.autograd.detect_anomaly():
            y = ga.sqrt(x)  # the line at fault
            z = ga.sum(y * ga.asarray([0.0, 1.0]))
            with pytest.raises(ga.AnomalyError) as caught:
                z.backward()
        text = str(caught.value)
        assert text.startswith("backward(): the derivative of sqrt() is NaN")
        assert __file__ in text and "in test_the_forward_line_is_named" in text
        assert "y = ga.sqrt(x)  # the line at fault" in text
        assert x.grad is None

    def test_operators_methods_and_derivatives_are_named_too(self):
        x = leaf(0.0)
        with ga.autograd.detect_anomaly():
            y = (x**0.5) * 0.0  # power and product
            with pytest.raises(ga.AnomalyError, match="power and product"):
                ga.sum(y).backward()
            with pytest.raises(ga.AnomalyError, match=r"of sqrt\(\) is NaN"):
                ga.grad(lambda x: ga.sum(ga.sqrt(x) * 0.0))(x.detach())

    def test_an_operation_from_outside_has_no_line(self):
        x = leaf(0.0)
        y = ga.sum(ga.sqrt(x) * 0.0)
        with ga.autograd.detect_anomaly(), pytest.raises(ga.AnomalyError, match="recorded outside detect_anomaly"):
            y.backward()

    def test_sound_programs_and_masked_zeros_pass(self):
        x = leaf(0.0, 4.0)
        with ga.autograd.detect_anomaly():
            ga.sum(ga.where(x > 0, ga.sqrt(x), 0.0) * x).backward()
            ga.sum(ga.linalg.eigh(ga.eye(2) * ga.sum(x)).eigenvalues).backward()
        assert np.isfinite(x.grad.tolist()).all()

    def test_nothing_is_left_on_afterwards(self):
        x = leaf(0.0)
        with ga.autograd.detect_anomaly(), ga.autograd.detect_anomaly():
            pass
        ga.sum(ga.sqrt(x) * 0.0).backward()
        assert np.isnan(x.grad.item())


class TestDraw:
    def test_text(self):
        x = leaf(1.0, 2.0)
        c = ga.asarray([1.0, 2.0])
        assert str(ga.autograd.draw(ga.sum(ga.exp(x) * c + x))).splitlines() == [
            "1 leaf      float64 (2,)",
            "2 exp       float64 (2,)  <- 1",
            "3 multiply  float64 (2,)  <- 2, constant",
            "4 add       float64 (2,)  <- 3, 1",
            "5 sum       float64 ()    <- 4",
        ]
        assert str(ga.autograd.draw(x)) == "1 leaf  float64 (2,)"

    def test_several_results_and_freed_graphs(self):
        a = ga.asarray([[2.0, 0.0], [0.0, 3.0]], requires_grad=True)
        y = ga.sum(ga.linalg.eigh(a).eigenvectors)
        assert "2 eigh  2 results       <- 1" in str(ga.autograd.draw(y))
        assert "<- 2[1]" in str(ga.autograd.draw(y))
        y.backward()
        assert str(ga.autograd.draw(y)) == "1 sum  float64 ()  (freed)"

    def test_files(self, tmp_path):
        y = ga.sum(leaf(1.0) * 2.0)
        drawing = ga.autograd.draw(y, tmp_path / "graph.txt")
        assert (tmp_path / "graph.txt").read_text() == f"{drawing}\n"
        ga.autograd.draw(y, str(tmp_path / "graph.dot"))
        dot = (tmp_path / "graph.dot").read_text()
        assert dot == drawing.dot and dot.startswith("digraph {") and "1 -> 2" in dot and 'label="multiply\\n' in dot
        with pytest.raises(ga.ArgumentValueError, match="no format 'jpeg'"):
            drawing.save(tmp_path / "graph.jpeg")

    def test_pictures_go_through_graphviz(self, tmp_path, monkeypatch):
        class Source:
            def __init__(self, dot):
                self.dot = dot

            def pipe(self, format):
                return f"{format} of {self.dot}".encode()

        fake = type(sys)("graphviz")
        fake.Source, fake.ExecutableNotFound = Source, type("ExecutableNotFound", (Exception,), {})
        monkeypatch.setitem(sys.modules, "graphviz", fake)
        drawing = ga.autograd.draw(ga.sum(leaf(1.0)), tmp_path / "graph.svg")
        assert (tmp_path / "graph.svg").read_text() == f"svg of {drawing.dot}"
        assert drawing._repr_svg_() == f"svg of {drawing.dot}"

        def missing(self, format):
            raise fake.ExecutableNotFound

        Source.pipe = missing
        with pytest.raises(ga.MissingExtraError, match=r"pip install 'gradarray\[graph\]'"):
            drawing.save(tmp_path / "graph.png")
        assert drawing._repr_svg_() is None

    def test_without_graphviz_the_error_names_the_extra(self, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "graphviz", None)
        with pytest.raises(ga.MissingExtraError, match=r"pip install 'gradarray\[graph\]'"):
            ga.autograd.draw(ga.sum(leaf(1.0)), tmp_path / "graph.svg")

    def test_nothing_to_draw(self):
        with pytest.raises(ga.NotTrackedError, match=r"draw\(\): the array depends on nothing"):
            ga.autograd.draw(ga.asarray(1.0))

    def test_a_long_chain(self):
        y = leaf(1.0)
        for _ in range(5000):
            y = y * 1.0
        assert len(str(ga.autograd.draw(y)).splitlines()) == 5001
