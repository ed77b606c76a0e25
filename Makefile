# Front door: one verb per habit. `make help` lists them; budgets stand in dev/verbs.tsv.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := all
MAKEFLAGS += --no-print-directory

# Seconds for each target of `make fuzz`. (Not taken from the environment: bash counts there.)
SECONDS = 30
# The user's own files for `make demo FILES="a.fits b.fits"`.
FILES =

# The differential tests find Astropy here; without it they say that they were skipped (`make astropy-env` makes it).
ifneq ($(wildcard .venv/test/requirements.stamp),)
export XDR_ASTROPY_PYTHON ?= $(CURDIR)/.venv/test/bin/python3
endif

SOURCES := $(shell find include src tests fuzz bench examples cmake python -name '*.[ch]pp' -o -name '*.cu')

.PHONY: setup astropy-env all test asan golden slow replay fuzz examples python wheel cuda bench device aarch64 tidy fmt fmt-check layers docs-check ci check demo clean help

setup:
	@dev/setup.sh all
astropy-env:
	@dev/setup.sh astropy-env

all:
	@dev/build.sh host
# What was skipped says why, also where ctest keeps the output of tests to itself.
REASONS = grep -hE -A1 'SKIPPED: |: Skipped$$' build/$(1)/Testing/Temporary/LastTest.log || true
test: all
	@ctest --preset host
	@$(call REASONS,host)
asan:
	@dev/build.sh asan
	@ctest --preset asan
	@$(call REASONS,asan)
golden: all
	@python3 tests/golden/golden_test.py build/host/tests/corpus_dump build/golden host build/host/src/cli/cuphoton
slow: all
	@ctest --test-dir build/host --label-regex '^slow$$' --output-on-failure --no-tests=error
replay:
	@dev/build.sh asan
	@ctest --preset asan --tests-regex '^replay_'
fuzz:
	@dev/build.sh fuzz
	@dev/fuzz.sh $(SECONDS)
examples: all
	@ctest --preset host --tests-regex '^examples$$'
# ARGS="-k words" goes to pytest.
ARGS =
python: all
	@dev/python.sh test $(ARGS)
wheel:
	@dev/python.sh which >/dev/null
	@dev/setup.sh cuda
	@dev/python.sh wheel
cuda:
	@dev/setup.sh cuda
	@dev/build.sh cuda
	@dev/check_cuda.py build/cuda
bench: all
	@bench/run.sh build/host

# On a GPU host: everything that only a GPU can show. OUT receives logs and results, PARTS chooses (dev/device_check.sh).
OUT = build/device-out
PARTS =
device:
	@dev/device_check.sh $(OUT) $(PARTS)

aarch64: golden
	@dev/aarch64.sh
tidy: all
	@dev/tidy.sh build/host
fmt:
	@clang-format -i $(SOURCES)
fmt-check:
	@clang-format --dry-run -Werror $(SOURCES)
layers:
	@python3 dev/check_layers.py
	@python3 dev/check_layers_test.py
docs-check:
	@python3 dev/check_docs.py
	@python3 dev/check_docs_test.py
	@python3 dev/make_tables.py --check

ci:
	@dev/ci.sh fmt-check layers docs-check test asan cuda python
check:
	@dev/ci.sh setup fmt-check layers docs-check test asan cuda python

demo:
	@dev/setup.sh demo
	@dev/build.sh command
	@dev/demo.sh build/command $(FILES)

clean:
	@rm -rf build .venv
help:
	@awk -F'\t' '!/^#/ {printf "  make %-11s %5d s  %s\n", $$1, $$2, $$3}' dev/verbs.tsv
