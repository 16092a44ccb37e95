# Makes sure that there is a Python which can make virtual environments. For scripts to source.

say() { printf '\033[1m▸ %s\033[0m\n' "$*"; }

has_python() { python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }

need_python() {
  if ! has_python && command -v apt-get >/dev/null; then
    say 'Installing Python'
    local sudo=''; [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq && $sudo apt-get install -y -qq python3 python3-venv >/dev/null
  fi
  has_python && return
  echo 'portico: Python 3.10 or newer with venv is missing. Install it, then run this again' >&2
  exit 1
}
