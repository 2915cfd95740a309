# Each target does its own set-up on a bare Debian 12 (cmake/setup.sh). PYTHON=python3.12 selects an interpreter,
# MLIR_DIR=<prefix>/lib/cmake/mlir another LLVM/MLIR 22, JOBS the number of compiler processes.

PYTHON ?= python3
JOBS ?= $(shell nproc)
WERROR ?= OFF
MLIR_DIR ?=
BUILD := build
venv := .venv/bin

configure = cmake -S . -B $(1) -G Ninja --log-level=NOTICE -DPython3_EXECUTABLE=$(CURDIR)/$(venv)/python \
  -DPYARRAY_WERROR=$(WERROR) $(if $(MLIR_DIR),-DMLIR_DIR=$(MLIR_DIR))

.PHONY: compatibility demo build build-sanitize test fuzz bench wheel tools-wheel sanitize tsan lint docs clean setup

demo: build
	@$(venv)/python examples/demo.py

setup:
	@PYTHON=$(PYTHON) cmake/setup.sh

build: setup
	@$(call configure,$(BUILD))
	@cmake --build $(BUILD) -j $(JOBS)

# FAST=1 leaves out the files of Python tests that take long: about two minutes.
FAST ?=
test: build
	@$(venv)/python test/run.py --build $(BUILD) $(if $(FAST),--fast)

# Tests of other people's libraries with pyarray in Numba's place, in an environment of their own; takes an hour and
# PyPI. LIBRARIES="pandas sparse" runs these alone, USES=1 what test/compatibility_uses.py does with them instead. Writes
# docs/compatibility.md.
LIBRARIES ?=
USES ?=
compatibility: build
	@$(venv)/python test/compatibility.py --write $(if $(USES),--uses) $(LIBRARIES)

# Random programs and mutated IR for FUZZ_SECONDS, half of it each, from FUZZ_SEED on; findings go to test/fuzz/corpus.
# FUZZ_SANITIZE=1: on the build with sanitizers.
FUZZ_SECONDS ?= 600
FUZZ_SEED ?= $(shell date +%s)
FUZZ_SANITIZE ?=
fuzz: $(if $(FUZZ_SANITIZE),build-sanitize,build)
	@$(venv)/python test/fuzz/run.py --seconds $(FUZZ_SECONDS) --seed $(FUZZ_SEED) --jobs $(JOBS) $(if $(FUZZ_SANITIZE),--sanitize build-sanitize)

bench: build
	@cmake/setup.sh --no-venv clang-22
	@echo '-- Adding peers to .venv: numba, numexpr, pythran, jax, matplotlib'
	@$(venv)/python -m pip install --disable-pip-version-check -q -r benchmarks/requirements.txt
	@$(venv)/python benchmarks/run.py

# A self-contained wheel in dist/ for the interpreter PYTHON.
wheel:
	@PYTHON=$(PYTHON) cmake/wheel.sh

# The tools of the build as a wheel in dist/, pyarray-tools, with commands of their names.
tools-wheel: build
	@$(venv)/python tools/make_tools_wheel.py $(BUILD) dist

# Our C code under AddressSanitizer and UndefinedBehaviorSanitizer.
build-sanitize: setup
	@$(call configure,build-sanitize) -DPYARRAY_SANITIZE=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo
	@cmake --build build-sanitize -j $(JOBS)

sanitize: build-sanitize
	@$(venv)/python test/run.py --build build-sanitize --sanitize

# The runtime's threads under ThreadSanitizer; libomp-22-dev has Archer, which explains OpenMP to it.
tsan: setup
	@cmake/setup.sh --no-venv libomp-22-dev
	@$(call configure,$(BUILD))
	@cmake --build $(BUILD) -j $(JOBS) --target tsan

lint: setup
	@cmake/setup.sh --no-venv clang-format-22
	@if [ -x $(venv)/ruff ]; then $(venv)/ruff check python test examples benchmarks lib/library docs tools; \
	  else echo '-- PyPI could not be reached: Python sources are not checked'; fi
	@find benchmarks capi dialects examples lib python test tools -name '*.[ch]' -o -name '*.cpp' | xargs clang-format-22 --dry-run --Werror

# Reference pages generated from ODS, passes.def, docstrings and examples; then all pages as a site in build/site, its links
# checked. mkdocs has an environment of its own.
docs: build
	@cmake --build $(BUILD) --target docs
	@$(venv)/python docs/api_reference.py --write
	@$(venv)/python docs/gallery.py --write
	@$(venv)/python docs/pictures.py --write
	@[ -x .venv-docs/bin/mkdocs ] || $(PYTHON) -m venv .venv-docs
	@.venv-docs/bin/python -m pip install --disable-pip-version-check -q -r docs/requirements.txt
	@NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build --strict -f mkdocs.yml
	@echo '-- build/site/index.html'

clean:
	rm -rf build build-sanitize build-wheel dist python/pyarray/*.so python/pyarray/library.bin
