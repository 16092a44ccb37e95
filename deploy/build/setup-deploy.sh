#!/usr/bin/env bash
# Installs what `make test-deploy` needs, if it is missing. Run by `make`; safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
tools=$1

. "$(dirname "$0")/packages.sh"
need_programs curl:curl jq:jq nix-instantiate:nix-bin shellcheck:shellcheck systemd-analyze:systemd xmllint:libxml2-utils

# Arguments: the name of the program, its module, its version, its package.
install_go() {
  local built
  built=$(go version -m "$tools/bin/$1" 2>/dev/null | awk '$1 == "mod" { print $3 }') || true
  [ "$built" = "$3" ] && return
  command -v go >/dev/null || { echo "portico: go is missing, which builds $1. Install it from https://go.dev" >&2; exit 1; }
  say "Building $1 $3 (once for this machine)"
  GOBIN=$tools/build go install -ldflags='-s -w' "$4@$3"
  install -D -m 755 "$tools/build/$(basename "$4")" "$tools/bin/$1"
  rm -rf "$tools/build"
}

install_go helm helm.sh/helm/v4 v4.1.3 helm.sh/helm/v4/cmd/helm
# Reads compose files as Docker Compose does.
install_go compose-go github.com/compose-spec/compose-go/v2 v2.16.2 github.com/compose-spec/compose-go/v2/cmd
install_go actionlint github.com/rhysd/actionlint v1.7.7 github.com/rhysd/actionlint/cmd/actionlint
