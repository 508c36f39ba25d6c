# Two commands do the set-up: `make run` starts everything, `make test` checks everything.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3.11
APP := .venv
LABEL_STUDIO := .venv-label-studio
BIN := $(APP)/bin/python
# Hundreds of processes load the same modules: compiled ones are kept, even where the shell says otherwise
unexport PYTHONDONTWRITEBYTECODE

# An environment is made again only when its list of packages changes: the stamp carries the list's hash.
hash_of = $(shell cat $(1) | { sha256sum 2>/dev/null || shasum -a 256; } | cut -c1-16)
APP_STAMP := $(APP)/.made-app-$(call hash_of,requirements/app.txt)
DEV_STAMP := $(APP)/.made-dev-$(call hash_of,requirements/app.txt requirements/dev.txt requirements/generative.txt)
DOCS_STAMP := site/.made-docs-$(call hash_of,$(shell find mkdocs.yml CONTRIBUTING.md docs scripts/docs_site backend/core/web/static -type f ! -name '*.pyc' | LC_ALL=C sort))
LABEL_STUDIO_STAMP := $(LABEL_STUDIO)/.made-label-studio-$(call hash_of,requirements/label-studio.txt)

.PHONY: help run test check soak durations house pictures docs lock bench clean
.NOTPARALLEL:

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(APP_STAMP) $(LABEL_STUDIO_STAMP) ## Set up what is missing and start Attune; Ctrl-C stops it; LOGS=1 shows the processes' lines
	@$(MAKE) --silent $(DOCS_STAMP) || echo "Attune starts without its documentation, which could not be built."
	@exec $(BIN) -m backend.operate.launch $(if $(LOGS),--logs)

test: $(DEV_STAMP) $(LABEL_STUDIO_STAMP) ## Run every check and test, with real servers and a browser (half an hour)
	@scripts/system_packages.sh
	@exec scripts/test.sh

check: $(DEV_STAMP) ## Lint, types, import directions and the quick tests (a minute)
	@exec scripts/check.sh

soak: $(DEV_STAMP) $(LABEL_STUDIO_STAMP) ## Run what takes hours: many kills, thousands of random examples
	@scripts/system_packages.sh
	@exec scripts/soak.sh

durations: $(DEV_STAMP) ## Keep what the last make test measured, and print where its time went
	@$(BIN) -m tests.durations --keep var/test-durations/*.json

house: $(DEV_STAMP) ## Measure the tree: import cycles, lines, short modules (docs/architecture.md)
	@$(BIN) scripts/house.py

pictures: $(DEV_STAMP) $(LABEL_STUDIO_STAMP) ## Take the pictures of README and docs from a demo of their own, with Chromium (docs/pictures)
	@$(BIN) -m scripts.pictures

docs: $(DOCS_STAMP) ## Build the documentation as a site (site/index.html), which Attune serves under /docs
	@echo "The documentation is built: site/index.html"

lock: ## Work out requirements/*.txt again from requirements/*.in
	@PYTHON=$(PYTHON) exec scripts/lock.sh

bench: $(DEV_STAMP) ## Run the benchmarks and print their ratios
	@set -e; for each in $$(grep -l '^if __name__ == "__main__"' benchmarks/*.py); do \
		echo "== $$each"; $(BIN) -m benchmarks.$$(basename $$each .py); \
	done

clean: ## Remove the environments and caches; data in var/ stays
	rm -rf $(APP) $(LABEL_STUDIO) site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(APP_STAMP):
	@scripts/environment.sh $(PYTHON) $(APP) requirements/app.txt "about 2 minutes"
	@touch $@

$(DEV_STAMP): $(APP_STAMP)
	@scripts/environment.sh $(PYTHON) $(APP) requirements/dev.txt "about 1 minute"
	@$(BIN) -m pip install -qq --disable-pip-version-check --no-deps -r requirements/generative.txt
	@touch $@

$(LABEL_STUDIO_STAMP):
	@scripts/environment.sh $(PYTHON) $(LABEL_STUDIO) requirements/label-studio.txt "2 to 4 minutes"
	@touch $@

$(DOCS_STAMP): $(APP_STAMP)
	@rm -f site/.made-docs-*
	@$(BIN) -m mkdocs build --strict --quiet
	@touch $@
