#!/usr/bin/env bash
# Installs what the property-based API tests need, if it is missing: schemathesis from PyPI, in a virtual environment of
# its own. Safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
place=$1/schemathesis

schemathesis=4.32.5

[ "$("$place/bin/schemathesis" --version 2>/dev/null | awk '{print $NF; exit}')" = "$schemathesis" ] && exit

. "$(dirname "$0")/python.sh"
need_python
say "Installing schemathesis $schemathesis (reads the OpenAPI description and sends what it allows and forbids)"
rm -rf "$place"
python3 -m venv "$place"
"$place/bin/pip" install --quiet --disable-pip-version-check --only-binary=:all: "schemathesis==$schemathesis"
