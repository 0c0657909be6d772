# Needs Python 3.11 or later, git and make. Another Python: make test PYTHON=python3.13
PYTHON ?= python3

# How long `make fuzz` damages reports before it looks for texts that reach new code.
FUZZ_SECONDS ?= 600

VENV := .venv
BIN := $(VENV)/bin
LOWEST := .venv-lowest
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Hundreds of tests start a Python of their own: let them keep what was compiled.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check docs build figures speed fuzz lowest audit clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST)

# Lint exits with 1 where it finds something, as it does here: the demonstration went well.
demo: $(VENV)/.installed ## install mdbench in .venv and lint the reports in reports/
	$(BIN)/mdbench lint reports/ || test $$? -eq 1

test: $(VENV)/.installed-dev ## install the development tools too, then run every check and all tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto

check: $(VENV)/.installed-dev ## style, types, layers and the fast tests, in under a minute
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto -m "not slow" --quiet

docs: $(VENV)/.installed-dev ## bring README.md and docs/ up to date, and build the site into build/docs
	$(BIN)/python -m handbook
	$(BIN)/python -m zensical build --strict --clean

build: $(VENV)/.installed-dev ## make the wheel and the source distribution in dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist

figures: $(VENV)/.installed-dev ## measure again what README.md says of faults found
	$(PIP) --editable '.[bench]'
	$(BIN)/python benchmarks/detection.py --write README.md

speed: $(VENV)/.installed-dev ## measure again how fast it is beside other tools; takes half an hour
	$(BIN)/python benchmarks/speed.py --peers build/peers --write docs/performance.md --short README.md

# Atheris is not to be had for every Python; where it is not, reports are damaged without end.
fuzz: $(VENV)/.installed-dev ## look for texts that break a law, new ones each time, until it is interrupted
	$(BIN)/pytest tests/fuzz --hypothesis-profile=explore
	@$(PIP) --editable '.[fuzz]' > /dev/null 2>&1 || true
	if $(BIN)/python -c 'import atheris' 2> /dev/null; then \
	  $(BIN)/python -m tests.fuzz.endless $(FUZZ_SECONDS) && $(BIN)/python -m tests.fuzz.coverage_guided; \
	else $(BIN)/python -m tests.fuzz.endless; fi

lowest: ## run the tests with the lowest version of everything that mdbench needs
	$(PYTHON) -m venv --clear $(LOWEST)
	.ci/lowest_versions > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --constraint $(LOWEST)/constraints.txt --editable '.[dev]'
	$(LOWEST)/bin/pytest -n auto -m 'not slow' --ignore tests/browser

audit: $(VENV)/.installed ## look for known weaknesses in what mdbench needs
	$(PIP) --editable '.[all]' pip-audit
	$(BIN)/pip-audit --local --skip-editable --progress-spinner off

clean: ## remove the virtual environment and everything that was built
	rm -rf $(VENV) $(LOWEST) build dist .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find mdbench tests benchmarks handbook -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "mdbench needs Python 3.11 or later; try: make PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/.installed: pyproject.toml | $(VENV)/.made
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/.made
	$(PIP) --editable '.[dev]'
	@touch $(VENV)/.installed $@
