#!/usr/bin/env bash
# Installs what the browser tests need, if it is missing: npm packages and Chromium. Safe to run again.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '\033[1m▸ %s\033[0m\n' "$*"; }

if ! cmp -s end2end/package-lock.json end2end/node_modules/.portico-lock; then
  say 'Installing npm packages for the browser tests'
  (cd end2end && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
  cp end2end/package-lock.json end2end/node_modules/.portico-lock
fi

if ! command -v nginx >/dev/null; then
  # One test has it ask for a login in front of the dashboard. Installing it must not start a server on this machine.
  say 'Installing nginx'
  if command -v apt-get >/dev/null; then
    sudo=''; [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq && $sudo env RUNLEVEL=1 apt-get install -y -qq nginx-light >/dev/null
  else
    echo 'portico: nginx is missing; end2end/tests/proxy-login.spec.ts needs it in PATH' >&2
    exit 1
  fi
fi

if [ -z "${CHROMIUM:-}" ] && ! command -v chromium >/dev/null; then
  say 'Installing Chromium'
  if ! command -v apt-get >/dev/null; then
    echo 'portico: Chromium is missing. Install it, or name it: CHROMIUM=/path/to/chromium make test' >&2
    exit 1
  fi
  sudo=''; [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq && $sudo apt-get install -y -qq chromium >/dev/null
fi
