# Each target makes its own virtual environment from pyproject.toml and needs only Python >= 3.11, make and PyPI.
#
#   make test          style, types and tests; TORCH=1 adds those on PyTorch, CUPY=1 a look at the real CuPy (no GPU needed)
#   make demo          train a small network on handwritten digits, on each device there is
#   make bench         small and large arrays beside NumPy, PyTorch, HIPS autograd and JAX; TORCH=1 adds PyTorch
#   make docs          the documentation as HTML, in docs/_build/html
#   make format        bring the code into its common format
#   make clean         remove environments, caches and everything else that was built

PYTHON ?= python3
WORKERS ?= 2
TORCH ?= 0
CUPY ?= 0
# Its default build is a download of several GB on many systems: only on demand.
TORCH_VERSION ?= 2.13.0

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

# An environment, with the large libraries that were asked for.
with_extras = .venv-$(1)/.ready $(if $(filter 1,$(TORCH)),.venv-$(1)/.torch) $(if $(filter 1,$(CUPY)),.venv-$(1)/.cupy)

.PHONY: test demo bench docs format clean help
.DEFAULT_GOAL := help
# An environment that could not be completed must not look complete.
.DELETE_ON_ERROR:

help:
	@sed -n 's/^#   //p' Makefile

test: $(call with_extras,test)
	@.venv-test/bin/ruff check .
	@.venv-test/bin/ruff format --check .
	@.venv-test/bin/mypy
	@.venv-test/bin/pytest -q -n $(WORKERS) --dist worksteal

demo: .venv-demo/.ready
	@.venv-demo/bin/python examples/digits.py --device cpu
	@.venv-demo/bin/python examples/digits.py --device strict
	@if .venv-demo/bin/python -c "import gradarray; gradarray.get_device('cuda')" 2>/dev/null; then \
	    .venv-demo/bin/python examples/digits.py --device cuda; \
	else echo "no device 'cuda' here: left out"; fi

bench: $(call with_extras,bench)
	@.venv-bench/bin/python benchmarks/run.py $(BENCH)

docs: .venv-docs/.ready
	@.venv-docs/bin/sphinx-build -q -W --keep-going -b html docs docs/_build/html
	@echo "documentation: docs/_build/html/index.html"

format: .venv-test/.ready
	@.venv-test/bin/ruff check --fix .
	@.venv-test/bin/ruff format .

clean:
	rm -rf .venv-test .venv-demo .venv-bench .venv-docs build dist docs/_build docs/api examples/output
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +

extras-test := test,lint
extras-demo := demo
extras-bench := bench
extras-docs := docs,strict

.venv-%/.ready: pyproject.toml
	@echo "making the environment .venv-$* ..."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=...")'
	@$(PYTHON) -m venv --clear .venv-$*
	@.venv-$*/bin/python -m pip install -qq --editable '.[$(extras-$*)]'
	@touch $@

.venv-%/.torch: .venv-%/.ready
	@echo "adding PyTorch $(TORCH_VERSION) to .venv-$* ..."
	@.venv-$*/bin/python -m pip install -qq torch==$(TORCH_VERSION)
	@touch $@

.venv-%/.cupy: .venv-%/.ready
	@echo "adding CuPy to .venv-$* ..."
	@.venv-$*/bin/python -m pip install -qq --editable '.[cupy]'
	@touch $@

# Stamps are the product of these rules, not steps on the way to one.
.PRECIOUS: .venv-%/.ready .venv-%/.torch .venv-%/.cupy
