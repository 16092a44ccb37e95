# The commands of Portico. `make run` and `make test` do all set-up by themselves; a second run is quick.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:

# Build tools live here, so that nothing of the system is touched and every checkout shares them.
TOOLS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/portico/tools
TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))
export PATH := $(CURDIR)/tools/node_modules/.bin:$(TOOLS)/bin:$(HOME)/.cargo/bin:$(PATH)

say = @printf '\033[1m▸ %s\033[0m\n'

.PHONY: help run test test-rust test-browser test-api test-security test-services build bundle scripts bench bench-bundle pictures fmt lint setup setup-api setup-browser setup-services clean

help: ## Lists the commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 16

run: build ## Serves the dashboard from user-data/ on http://localhost:8080
	@exec "$(TARGET)/release/portico" serve

# The program embeds the bundle, so it comes last. Building the tools and the bundle often keeps only one core busy; a first
# build compiles the library of the server meanwhile. If that fails, the last command says so.
build: ## Builds the one binary: target/release/portico
	@trap 'kill $$(jobs -p) 2>/dev/null || true' EXIT
	if [ ! -e "$(TARGET)/release/portico" ] && cargo --version >/dev/null; then
	  cargo build --release --locked --quiet --package server --features embed --lib 2>/dev/null &
	fi
	$(MAKE) --no-print-directory bundle
	printf '\033[1m▸ %s\033[0m\n' 'Building the server'
	wait
	cargo build --release --locked --package server --features embed

bundle: setup dist/.built ## Builds the browser bundle, style sheet and icons into dist/

BUNDLE_SOURCES := $(shell find app config/src config/Cargo.toml css_values widgets frontend style public tools/*.mjs tools/*.json -type f -not -path '*/node_modules/*' 2>/dev/null)

dist/.built: $(BUNDLE_SOURCES) Cargo.toml Cargo.lock Trunk.toml
	$(say) 'Building the browser bundle'
	@cargo fetch --quiet --locked
	@trunk build --release --offline --locked
	@touch dist/.built

scripts: setup ## Minifies the scripts that Rust embeds
	@node tools/embedded-scripts.mjs

test: test-rust test-api test-security test-browser ## Runs every test: Rust, API, security, browser

test-rust: bundle ## Runs the Rust tests
	$(say) 'Testing the config, the widgets and the editor'
	@cargo test --locked --package css_values --package config --package import --package languages --package themes --package widgets
	@cargo test --locked --package editor
	$(say) 'Testing the app and the server'
	@cargo test --locked --package app --features ssr
	@cargo test --locked --package server --features embed

test-api: build setup-api ## Sends the built server valid and invalid requests from its OpenAPI description
	$(say) 'Testing the API with made-up requests'
	@PORTICO="$(TARGET)/release/portico" SCHEMATHESIS="$(TOOLS)/schemathesis/bin/schemathesis" node end2end/api/run.mjs

test-security: build ## Attacks the built server as intruders, visitors and hostile services would
	$(say) 'Testing the security from outside'
	@export PORTICO="$(TARGET)/release/portico"
	node --test --test-concurrency=2 $$(ls end2end/security/*.test.mjs | grep -v /hostile-)
	# These time the answers that others get meanwhile, so nothing else runs beside them.
	node --test --test-concurrency=1 end2end/security/hostile-*.test.mjs

test-services: build setup-services ## Compares the widgets with what real services report
	$(say) 'Testing with real services'
	@PORTICO="$(TARGET)/release/portico" SERVICES="$(TOOLS)/services" node --test --test-concurrency=1 end2end/services/*.test.mjs

end2end/output/preview/.built: $(BUNDLE_SOURCES) Cargo.toml Cargo.lock
	$(say) 'Building the preview of panels for the browser tests'
	@cargo build --profile wasm-release --locked --target wasm32-unknown-unknown --package preview
	@wasm-bindgen --target web --no-typescript --out-dir end2end/output/preview "$(TARGET)/wasm32-unknown-unknown/wasm-release/preview.wasm"
	@touch $@

test-browser: build setup-browser end2end/output/preview/.built ## Runs the browser tests against the built server
	$(say) 'Testing in the browser'
	@cd end2end
	for project in app/src/document/inline frontend frontend/edit server/src/routes/offline server/src/routes/offline/tsconfig.page.json; do
	  npx tsc -p "../$$project"
	done
	node --test worker/ search/ editor/
	PORTICO="$(TARGET)/release/portico" npx playwright test

bench: build setup-browser ## Measures speed and size, as ratios to a reference in the same run
	@node end2end/bench/run.mjs

bench-bundle: setup ## Measures what each widget adds to the browser bundle; takes a quarter of an hour
	@node end2end/bench/bundle.mjs

pictures: build setup-browser ## Retakes all pictures in docs/
	@cd end2end
	export PORTICO="$(TARGET)/release/portico"
	npx tsx screenshots.ts docs
	npx tsx widget-pictures.ts
	npx tsx theme-pictures.ts

fmt: ## Formats all code
	@cargo fmt --all

lint: setup ## Checks formatting, lints (warnings denied), and the licenses and sources of all crates
	$(say) 'Checking formatting and lints'
	@cargo fmt --all --check
	@cargo clippy --locked --all-targets --package css_values --package config --package import --package languages --package themes --package widgets -- -D warnings
	@cargo clippy --locked --all-targets --package editor -- -D warnings
	@cargo clippy --locked --package config --no-default-features -- -D warnings
	@cargo clippy --locked --package config --no-default-features --features document -- -D warnings
	@cargo clippy --locked --package widgets --no-default-features -- -D warnings
	@cargo clippy --locked --all-targets --package app --features ssr -- -D warnings
	@cargo clippy --locked --all-targets --package server -- -D warnings
	@cargo clippy --profile wasm-release --locked --target wasm32-unknown-unknown --package frontend --package live --package editor --package preview -- -D warnings
	$(say) 'Checking the crates that Portico is made of'
	@tools/check-crates.sh "$(TOOLS)"

setup: ## Installs what building needs: the WebAssembly target, wasm-bindgen, trunk, npm packages
	@tools/setup.sh "$(TOOLS)"

setup-api: ## Installs what the property-based API tests need: schemathesis
	@tools/setup-api.sh "$(TOOLS)"

setup-browser: ## Installs what the browser tests need
	@tools/setup-browser.sh

setup-services: ## Installs the services for test-services: Glances, Netdata, Prometheus, SABnzbd
	@tools/setup-services.sh "$(TOOLS)"

clean: ## Removes everything that was built
	@rm -rf dist target end2end/output end2end/test-results
