#!/usr/bin/env bash
# Fetches faketime, with which tests give a server a wrong clock, if it is missing. Debian's package is unpacked and not installed,
# except for root. Safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
place=$1/faketime
library=faketime/libfaketimeMT.so.1

for found in /usr/lib/$library /usr/lib64/$library /usr/lib/*/$library "$place"/usr/lib/*/$library; do
  [ -e "$found" ] && exit
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
  echo 'portico: faketime is missing. Install it, so that there is a libfaketimeMT.so.1 below /usr/lib' >&2
  exit 1
fi
printf '\033[1m▸ %s\033[0m\n' 'Fetching faketime'
if [ "$(id -u)" = 0 ]; then
  apt-get update -qq
  exec apt-get install -y -qq libfaketime >/dev/null
fi
packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
cd "$packages"
# The lists of packages may be old, or not there yet.
apt-cache show libfaketime >/dev/null 2>&1 || sudo apt-get update -qq
apt-get download -qq libfaketime 2>/dev/null
mkdir -p "$place"
dpkg-deb --extract ./*.deb "$place"
