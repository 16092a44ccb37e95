# The commands of Portico. `make run` and `make test` do all set-up by themselves; a second run is quick.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:

# Build tools live here, so that nothing of the system is touched and every checkout shares them.
TOOLS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/portico/tools
TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))
export PATH := $(CURDIR)/tools/node_modules/.bin:$(TOOLS)/bin:$(HOME)/.cargo/bin:$(PATH)

# What the tests run: the program of a development build. Workspace crates for the browser are left out: with them, the features of
# Leptos for server and browser would merge.
HOST := --workspace --exclude frontend --exclude live --exclude preview
PROGRAM := $(TARGET)/debug/portico
WASM := --target wasm32-unknown-unknown --package frontend --package live --package editor --package dialogs --package views --package preview

.PHONY: help run dev test build build-tests bundle scripts smoke bench bench-bundle pictures docs fmt lint clean \
  test-rust test-scripts test-api test-security test-hostile test-browser test-services test-services-if-changed \
  test-deploy release test-release setup setup-api setup-postgres setup-browser setup-services setup-deploy setup-docs \
  setup-kubernetes setup-release

help: ## Lists the commands
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/' | expand -t 16

run: build ## Serves the dashboard from user-data/ on http://localhost:8080
	@exec "$(TARGET)/release/portico" serve

dev: setup ## Serves the dashboard without optimization, and rebuilds and reloads what you change
	@node tools/dev.mjs

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

bundle: setup ## Builds the browser bundle, style sheet and icons into dist/
	@node tools/bundle.mjs release

scripts: setup ## Minifies the scripts that Rust embeds
	@node tools/embedded-scripts.mjs

# Security tests mostly wait, so they run beside the tests of Rust and of scripts, which mostly compile.
test: setup setup-api setup-postgres setup-browser ## Runs every test: Rust, scripts, API, security, browser
	@node tools/run-suites.mjs build-tests 'security&' rust scripts api wait hostile browser

# What .ci/run runs.
ci: setup setup-api setup-postgres setup-browser setup-deploy
	@node tools/run-suites.mjs build-tests 'security&' lint rust scripts api deploy smoke wait hostile browser services-if-changed

# The suites below start the program in end2end/, where no `dist/` from `make build` takes the place of the development bundle.
# tools/run-suites.mjs sets BUILT once this is done, so that no suite waits for another one that compiles.
build-tests: $(if $(BUILT),,setup) ## Builds the bundle and the program that the tests use
	$(if $(BUILT),@,@cargo test --no-run --quiet --locked $(HOST)
	node tools/bundle.mjs dev)

test-rust: ## Runs the Rust tests
	@cargo test --locked --quiet --no-fail-fast $(HOST)

test-scripts: build-tests setup-browser ## Checks the types of all scripts, and tests those that need no browser
	@cd end2end
	for project in . ../app/src/document/inline ../frontend ../server/src/routes/offline ../server/src/routes/offline/tsconfig.page.json; do
	  npx tsc -p "$$project"
	done
	PORTICO="$(PROGRAM)" node --test worker/ docs/

test-api: build-tests setup-api ## Sends the server valid and invalid requests from its OpenAPI description
	@cd end2end
	PORTICO="$(PROGRAM)" SCHEMATHESIS="$(TOOLS)/schemathesis/bin/schemathesis" node api/run.mjs

test-security: build-tests ## Attacks the server as intruders and visitors would
	@cd end2end
	PORTICO="$(PROGRAM)" node --test --test-timeout=300000 --test-concurrency=3 $$(ls security/*.test.mjs | grep -v /hostile-)

# These time the answers that others get meanwhile, so nothing else runs beside them.
test-hostile: build-tests ## Attacks the server as hostile services and documents would
	@cd end2end
	PORTICO="$(PROGRAM)" node --test --test-timeout=300000 --test-concurrency=1 security/hostile-*.test.mjs

test-browser: build-tests setup-browser ## Runs the browser tests against the server
	@cargo build --quiet --profile wasm-dev --locked --target wasm32-unknown-unknown --package preview
	wasm-bindgen --target web --no-typescript --out-dir end2end/output/preview "$(TARGET)/wasm32-unknown-unknown/wasm-dev/preview.wasm"
	cd end2end
	PORTICO="$(PROGRAM)" npx playwright test

test-services: build-tests setup-services ## Compares the widgets with what real services report
	@cd end2end
	PORTICO="$(PROGRAM)" SERVICES="$(TOOLS)/services" node --test --test-concurrency=1 services/*.test.mjs

test-services-if-changed: ## The same, unless it passed before and none of these widgets has changed since
	@tools/unless-passed.sh services end2end/services end2end/security/harness.mjs tools/setup-services.sh widgets/src/services \
	  figures/src figures/services server/src/alerts server/src/platform/metrics.rs docs/monitoring \
	  'widgets/src/catalogue/system_*' 'widgets/src/catalogue/metrics_*' 'widgets/src/catalogue/prometheus_data*' \
	  'widgets/src/catalogue/usenet_downloads*' discovery/src server/src/found server/src/commands/discover.rs -- $(MAKE) --no-print-directory test-services

test-deploy: setup setup-deploy ## Checks what people install it with: the chart, manifests, units, templates
	@cd end2end
	node --test release/chart.test.mjs release/unit.test.mjs release/templates.test.mjs

release: setup setup-release ## Builds the files of a release into dist/release
	@tools/release.sh "$$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)"

# They run as root: they mount file systems and install packages.
test-release: setup setup-deploy setup-release setup-kubernetes ## Installs the files of a release with the tools of its users
	@[ -e dist/release ] || $(MAKE) --no-print-directory release
	cd end2end
	DEBIAN="$(TOOLS)/debian" KUBERNETES="$(TOOLS)/kubernetes" node --test --test-concurrency=1 release/*.test.mjs

smoke: build setup-browser ## Checks the program that ships: its files, and a page in the browser
	@cd end2end
	PORTICO="$(TARGET)/release/portico" npx tsx --test smoke.test.ts

bench: build setup-browser ## Measures speed and size, as ratios to a reference in the same run; ONLY=metrics measures a part
	@node end2end/bench/run.mjs $(if $(ONLY),--only=$(ONLY)) $(if $(MINUTES),--minutes=$(MINUTES))

bench-bundle: setup ## Measures what each widget adds to the browser bundle; takes a quarter of an hour
	@node end2end/bench/bundle.mjs

pictures: build setup-browser ## Retakes all pictures in docs/
	@cd end2end
	export PORTICO="$(TARGET)/release/portico"
	npx tsx screenshots.ts docs
	npx tsx widget-pictures.ts
	npx tsx theme-pictures.ts

docs: setup-docs ## Builds the documentation as a site that can be searched: target/docs/site
	@node tools/docs.mjs "$(TARGET)/docs"

fmt: ## Formats all code
	@cargo fmt --all

lint: setup ## Checks formatting, lints (warnings denied), and the licenses and sources of all crates
	@cargo fmt --all --check
	cargo clippy --quiet --locked --all-targets $(HOST) -- -D warnings
	cargo clippy --quiet --profile wasm-dev --locked $(WASM) -- -D warnings
	tools/check-crates.sh "$(TOOLS)"

setup: ## Installs what building needs: the WebAssembly target, wasm-bindgen, trunk, npm packages
	@tools/setup.sh "$(TOOLS)"

setup-api: ## Installs what the property-based API tests need: schemathesis
	@tools/setup-api.sh "$(TOOLS)"

setup-postgres: ## Installs PostgreSQL, which tests of several servers start, and faketime, which gives some of these a wrong clock
	@tools/setup-postgres.sh "$(TOOLS)"
	tools/setup-faketime.sh "$(TOOLS)"

setup-browser: ## Installs what the browser tests need
	@tools/setup-browser.sh

setup-services: ## Installs the services for test-services, such as Glances, Prometheus and Transmission
	@tools/setup-services.sh "$(TOOLS)"

setup-deploy: ## Installs what test-deploy needs: Helm, systemd, shellcheck, Nix, jq
	@deploy/build/setup-deploy.sh "$(TOOLS)"

setup-kubernetes: ## Installs what test-release needs: the API server of Kubernetes, which is built for a quarter of an hour, and etcd
	@deploy/build/setup-kubernetes.sh "$(TOOLS)"

setup-docs: ## Installs what docs needs: mdBook
	@tools/setup-docs.sh "$(TOOLS)"

setup-release: ## Installs what release and test-release need: cargo-zigbuild, buildah, QEMU, a minimal Debian
	@deploy/build/setup-release.sh "$(TOOLS)"

clean: ## Removes everything that was built
	@rm -rf dist dev target end2end/output end2end/test-results
