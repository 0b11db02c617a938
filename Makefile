# Every target needs Python 3.11 or newer and nothing else. Each installs what it needs, no more.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# what is compiled is stored, also where the environment says otherwise: tests start Python often
unexport PYTHONDONTWRITEBYTECODE
# tests wait for programs and browsers often enough to keep three more than the cores busy
PYTEST := $(BIN)/python -m pytest -n $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 3)") --dist loadfile --no-loadscope-reorder

.PHONY: race serve test test-all kernels lint docs bench clean

race: $(VENV)/.charts
	@mkdir -p reports
	@$(BIN)/pegwise race 4x6 --report reports/race-4x6.html --force

serve: $(VENV)/.web
	@$(BIN)/pegwise serve $(SERVE)

# TESTS selects other tests than usual, as `python -m tools.covered` prints them
test: kernels
	$(PYTEST) $(if $(TESTS),-m "$(TESTS)")

test-all: kernels
	$(PYTEST) -m ""
	@$(BIN)/python -m tools.covered --note

kernels: $(VENV)/.dev
	@$(BIN)/pegwise compile

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(VENV)/.dev
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site: site/index.html"

bench: $(VENV)/.dev
	@mkdir -p reports
	@$(BIN)/python -m benchmarks $(BENCH)

# the extras of pyproject.toml; the development tools hold all others
$(VENV)/.%: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "pegwise needs Python 3.11 or newer; name one: make PYTHON=python3.12 race"; exit 1; }
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	@echo "Installing pegwise and its extra '$*' into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt -e '.[$*]'
	@touch $@

clean:
	rm -rf $(VENV) reports site build dist
