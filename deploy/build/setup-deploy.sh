#!/usr/bin/env bash
# Installs what `make test-deploy` needs, if it is missing. Run by `make`; safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
tools=$1
helm=v4.1.3

. "$(dirname "$0")/packages.sh"
need_programs shellcheck:shellcheck systemd-analyze:systemd xmllint:libxml2-utils

built=$(go version -m "$tools/bin/helm" 2>/dev/null | awk '$1 == "mod" { print $3 }') || true
if [ "$built" != "$helm" ]; then
  command -v go >/dev/null || { echo 'portico: go is missing, which builds Helm. Install it from https://go.dev' >&2; exit 1; }
  say "Building helm $helm (once for this machine, some minutes)"
  GOBIN=$tools/bin go install -ldflags='-s -w' "helm.sh/helm/v4/cmd/helm@$helm"
fi
