#!/usr/bin/env bash
# Installs what the browser tests need, if it is missing: npm packages, nginx and Chromium. Safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\033[1m▸ %s\033[0m\n' "$*"; }

if ! cmp -s end2end/package-lock.json end2end/node_modules/.portico-lock; then
  say 'Installing npm packages for the browser tests'
  (cd end2end && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  cp end2end/package-lock.json end2end/node_modules/.portico-lock
fi

nginx=end2end/output/nginx
if ! PATH=$PATH:/usr/sbin:$nginx/usr/sbin command -v nginx >/dev/null; then
  # It asks for a login in front of the dashboard. The package is unpacked and not installed, so that no server starts with
  # this machine.
  say 'Fetching nginx'
  sudo=''; [ "$(id -u)" = 0 ] || sudo=sudo
  mkdir -p "$nginx"
  packages=$(mktemp -d)
  trap 'rm -rf "$packages"' EXIT
  if command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null; then
    # The lists of packages may be old, or not there yet.
    (cd "$packages" && { apt-get download -qq nginx 2>/dev/null || { $sudo apt-get update -qq && apt-get download -qq nginx 2>/dev/null; }; }) &&
      dpkg-deb --extract "$packages"/nginx_*.deb "$nginx"
  fi
  if ! "$nginx/usr/sbin/nginx" -v 2>/dev/null; then
    echo 'portico: nginx is missing. Put it on the PATH; end2end/tests/proxy-login.spec.ts needs it' >&2
    exit 1
  fi
fi

# The tests use the one without a window, which needs half the time; the smoke test uses the one that people have.
for browser in chromium chromium-headless-shell; do
  if [ -z "${CHROMIUM:-}" ] && ! command -v "$browser" >/dev/null; then
    say "Installing $browser"
    if ! command -v apt-get >/dev/null; then
      echo 'portico: Chromium is missing. Install it, or name it: CHROMIUM=/path/to/chromium make test' >&2
      exit 1
    fi
    sudo=''; [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq && $sudo apt-get install -y -qq "$browser" >/dev/null
  fi
done
