#!/usr/bin/env bash
# Installs what the property-based API tests need, if it is missing: schemathesis from PyPI, in a virtual environment of
# its own. Safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
place=$1/schemathesis

schemathesis=4.32.5

say() { printf '\033[1m▸ %s\033[0m\n' "$*"; }

[ "$("$place/bin/schemathesis" --version 2>/dev/null | awk '{print $NF; exit}')" = "$schemathesis" ] && exit

has_python() { python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }
if ! has_python && command -v apt-get >/dev/null; then
  say 'Installing Python'
  sudo=''; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq && $sudo apt-get install -y -qq python3 python3-venv >/dev/null
fi
if ! has_python; then
  echo 'portico: Python 3.10 or newer with venv is missing. Install it, then run this again' >&2
  exit 1
fi
say "Installing schemathesis $schemathesis (reads the OpenAPI description and sends what it allows and forbids)"
rm -rf "$place"
python3 -m venv "$place"
"$place/bin/pip" install --quiet --disable-pip-version-check --only-binary=:all: "schemathesis==$schemathesis"
