#!/usr/bin/env bash
# Installs what `make docs` needs, if it is missing: mdBook. Safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
tools=$1
cd "$(dirname "$0")/.."

. tools/install.sh

mdbook=0.5.4

# Version and name, as in `mdbook v0.5.4`. Without its server, which would need most of the crates.
has mdbook v$mdbook || { install mdbook $mdbook --no-default-features --features search; rm -rf "$tools/build"; }
