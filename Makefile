# memoire: everything needed is installed into .venv, from pyproject.toml, once. Needs Python >= 3.11, git and make.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input --quiet
RUN = $(BIN)/python -m
ARGS =
# One process a core; many of the tests wait for a daemon or for a disk. Any order is right: no test needs another.
TOGETHER = -n auto --maxprocesses 8 --dist worksteal

# The first Python that is new enough; `make PYTHON=/path/to/python3.12 test` chooses another.
ifndef PYTHON
PYTHON := $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$python; break; fi; done)
endif

.PHONY: help demo test coverage check format clean distclean

help:
	@echo "make demo       index the example project and show what an assistant sees"
	@echo "make test       run all tests; make test ARGS='-k search' runs some"
	@echo "make coverage   the same, and say which lines no test ran"
	@echo "make check      format, lint, types and import contracts"
	@echo "make format     put the code into the format that check asks for"
	@echo "make clean      remove what the above made; make distclean removes $(VENV) too"

demo: $(VENV)/.package
	@sh examples/demo.sh build/demo "$(CURDIR)/$(BIN)/memoire"

test: $(VENV)/.dev
	@$(RUN) pytest $(TOGETHER) $(ARGS)

coverage: RUN = $(BIN)/python -m coverage run -m
coverage: test
	@$(BIN)/python -m coverage combine --quiet
	@$(BIN)/python -m coverage report

check: $(VENV)/.dev
	@$(BIN)/ruff format --check --quiet
	@$(BIN)/ruff check --quiet
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format

clean:
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage .coverage.*
	@find memoire tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	@rm -rf $(VENV)

$(VENV)/.python:
	@test -n "$(PYTHON)" || { echo "memoire needs Python 3.11 or newer; name one with make PYTHON=..." >&2; exit 1; }
	@echo "making $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "$(PYTHON) cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@touch $@

$(VENV)/.package: $(VENV)/.python pyproject.toml
	@echo "installing memoire into $(VENV)"
	@$(PIP) install --editable .
	@touch $@

# tomllib reads the list, since `pip install --group` needs a newer pip than Python 3.11 brings.
$(VENV)/.dev: $(VENV)/.package pyproject.toml
	@echo "installing the development tools into $(VENV)"
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["dev"], sep="\n")' > $@.txt
	@$(PIP) install --requirement $@.txt
	@touch $@
