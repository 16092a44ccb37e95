#!/usr/bin/env bash
# Installs the services that `make test-services` shows, where they are missing: Glances 4 and 3 from PyPI, each in a
# virtual environment of its own; Netdata, Prometheus and its node exporter from Debian's packages, which are unpacked and
# not installed, so that none of them starts with the machine. Those that are on the PATH already are used. Safe to run
# again.
# Argument: the directory for build tools.
set -euo pipefail
place=$1/services

glances4=4.5.8
glances3=3.4.0.5

. "$(dirname "$0")/python.sh"
mkdir -p "$place"

# Arguments: the name of the environment, the version.
install_glances() {
  local venv=$place/$1 version=$2
  [ "$("$venv/bin/python" -c 'import glances; print(glances.__version__)' 2>/dev/null)" = "$version" ] && return
  need_python
  say "Installing Glances $version (the system monitor)"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-compile "glances[web]==$version"
}

# Whether a program of Debian's is there: on the PATH, or unpacked.
is_there() { [ -x "$place/debian/usr/bin/$1" ] || [ -x "$place/debian/usr/sbin/$1" ] || command -v "$1" >/dev/null; }

missing=()
is_there netdata || missing+=(netdata-core)
is_there prometheus || missing+=(prometheus)
is_there prometheus-node-exporter || is_there node_exporter || missing+=(prometheus-node-exporter)

install_glances glances-4 "$glances4"
install_glances glances-3 "$glances3"

if [ ${#missing[@]} -gt 0 ]; then
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "portico: these programs are missing, and there is no apt-get to fetch them: ${missing[*]}. Put netdata," \
      'prometheus and node_exporter on the PATH, then run this again' >&2
    exit 1
  fi
  say "Fetching ${missing[*]}"
  sudo=''; [ "$(id -u)" = 0 ] || sudo=sudo
  packages=$(mktemp -d)
  trap 'rm -rf "$packages"' EXIT
  cd "$packages"
  fetch() { apt-get download -qq "${missing[@]}" 2>/dev/null; }
  # The lists of packages may be old, or not there yet.
  fetch || { $sudo apt-get update -qq && fetch; } || {
    echo "portico: these packages cannot be fetched: ${missing[*]}. Put netdata, prometheus and node_exporter on the PATH," \
      'then run this again' >&2
    exit 1
  }
  for package in *.deb; do dpkg-deb --extract "$package" "$place/debian"; done
  for program in "$place"/debian/usr/sbin/netdata "$place"/debian/usr/bin/prometheus*; do
    if ldd "$program" 2>/dev/null | grep -q 'not found'; then
      say "Installing the libraries of $(basename "$program")"
      for package in *.deb; do $sudo apt-get satisfy -y -qq "$(dpkg-deb --field "$package" Depends)" >/dev/null; done
      break
    fi
  done
fi
