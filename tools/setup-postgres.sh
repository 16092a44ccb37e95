#!/usr/bin/env bash
# Fetches PostgreSQL, which the tests of several servers start, if it is missing. Debian's package is unpacked and not installed, so
# that no server starts with this machine. Root's tests start it as another user, who cannot read root's files, so for root it is
# installed, but without a cluster. Safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
place=$1/postgresql

compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null && exit
compgen -G "$place/usr/lib/postgresql/*/bin/initdb" >/dev/null && exit
command -v initdb >/dev/null && exit

if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
  echo 'portico: PostgreSQL is missing. Install it, and put initdb on the PATH' >&2
  exit 1
fi
printf '\033[1m▸ %s\033[0m\n' 'Fetching PostgreSQL'
if [ "$(id -u)" = 0 ]; then
  mkdir -p /etc/postgresql-common
  [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  apt-get update -qq
  exec apt-get install -y -qq -o Dpkg::Options::=--force-confold postgresql >/dev/null
fi
packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
cd "$packages"
# The lists of packages may be old, or not there yet.
apt-cache show postgresql >/dev/null 2>&1 || sudo apt-get update -qq
version=$(apt-cache depends postgresql | sed -n 's/.*Depends: postgresql-\([0-9]*\)$/\1/p' | head -1)
apt-get download -qq "postgresql-$version" "postgresql-client-$version" libpq5 2>/dev/null
mkdir -p "$place"
for package in *.deb; do dpkg-deb --extract "$package" "$place"; done
if ! LD_LIBRARY_PATH=$(echo "$place"/usr/lib/*-linux-gnu) "$place/usr/lib/postgresql/$version/bin/initdb" --version >/dev/null; then
  echo "portico: PostgreSQL needs more libraries than there are: apt-get install postgresql-$version" >&2
  exit 1
fi
