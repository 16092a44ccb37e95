#!/usr/bin/env bash
# Runs a command, unless it has passed on this machine with the same files before.
#   tools/unless-passed.sh NAME FILES… -- COMMAND…
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1; shift
files=()
while [ "$1" != -- ]; do files+=("$1"); shift; done
shift
passed=${XDG_CACHE_HOME:-$HOME/.cache}/portico/passed/$name
key=$(git ls-files -z -- "${files[@]}" | xargs -0 sha256sum | sha256sum)
if grep -qsxF "$key" "$passed"; then
  echo "▸ Unchanged since it last passed. \`make test-$name\` runs it anyway."
  exit
fi
"$@"
mkdir -p "$(dirname "$passed")"
echo "$key" >>"$passed"
