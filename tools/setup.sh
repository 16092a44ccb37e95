#!/usr/bin/env bash
# Installs what building needs, if it is missing. Run by `make`; safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
tools=$1
cd "$(dirname "$0")/.."

. tools/install.sh

wasm_bindgen=0.2.129
trunk=0.21.14

need() {
  command -v "$1" >/dev/null || { echo "portico: $1 is missing. $2" >&2; exit 1; }
}

need cargo 'Install Rust from https://rustup.rs'
need node 'Install Node.js 20 or newer from https://nodejs.org'
need npm 'Install Node.js 20 or newer from https://nodejs.org'
need cc 'Install a C compiler, for example: apt-get install build-essential'

target=wasm32-unknown-unknown
if ! compgen -G "$(rustc --print target-libdir --target $target)/libstd-*.rlib" >/dev/null; then
  say "Installing the Rust target $target"
  need rustup "Or install the standard library of $target for this toolchain by other means."
  rustup target add $target
fi

# Both run for seconds. wasm-bindgen's other programs run tests, which is what it needs TLS for. Trunk only starts other
# programs: it downloads nothing, as all of them are in PATH.
has wasm-bindgen $wasm_bindgen || install wasm-bindgen-cli $wasm_bindgen --no-default-features --bin wasm-bindgen
has trunk $trunk || install trunk $trunk --no-default-features
rm -rf "$tools/build"

if ! cmp -s tools/package-lock.json tools/node_modules/.portico-lock; then
  say 'Installing npm packages: icon sets, sass, esbuild, terser, wasm-opt, CodeMirror'
  (cd tools && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  cp tools/package-lock.json tools/node_modules/.portico-lock
fi
