# `make race`, `make serve` and `make test` need Python 3.11 or newer and nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: race serve test lint docs bench clean

race: $(READY)
	@mkdir -p reports
	@$(BIN)/pegwise race 4x6 --report reports/race-4x6.html

serve: $(READY)
	@$(BIN)/pegwise serve $(SERVE)

test: $(READY)
	$(BIN)/python -m pytest -n logical --dist loadfile --no-loadscope-reorder

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

docs: $(READY)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site: site/index.html"

bench: $(READY)
	@mkdir -p reports
	@$(BIN)/python -m benchmarks $(BENCH)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "pegwise needs Python 3.11 or newer; name one: make PYTHON=python3.12 race"; exit 1; }
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) reports site build dist
