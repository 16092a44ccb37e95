#!/usr/bin/env bash
# Installs the services that `make test-services` shows, where they are missing: Glances 4 and 3 from PyPI, each in a
# virtual environment of its own, as is the mail server; Gotify from its Go module; the others from Debian's packages, which are unpacked and not installed, so that none of
# them starts with the machine. Only the libraries that they need are installed, and what Podman starts. Those on the PATH
# already are used.
# Safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
place=$1/services

glances4=4.5.8
glances3=3.4.0.5
aiosmtpd=1.4.6
gotify=2.5.0
# What SABnzbd 3 is made of, without the programs that repair and unpack what it has downloaded.
sabnzbd_needs=(chardet==7.7.0 CherryPy==18.10.0 configobj==5.0.9 cryptography==50.0.2 ct3==3.4.0.post5
  feedparser==6.0.14 guessit==4.4.0 portend==3.2.1 puremagic==1.30 PySocks==1.7.1 rebulk==6.0.1 sabyenc3==5.4.4 ujson==6.1.0)

. "$(dirname "$0")/python.sh"
mkdir -p "$place"
sudo=''; [ "$(id -u)" = 0 ] || sudo=sudo

# Arguments: the name of the environment, then the packages. The name of a stamp tells which are installed.
install_python() {
  local venv=$place/$1 stamp
  shift
  stamp=$venv/$(echo "$*" | cksum | tr ' ' -).installed
  [ -e "$stamp" ] && return
  say "Installing $(basename "$venv") from PyPI"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-compile "$@"
  touch "$stamp"
}

# Its module lacks the built web interface, which the program embeds. The API is enough, so empty files stand in for it.
install_gotify() {
  local stamp=$place/gotify-$gotify.installed source
  [ -e "$stamp" ] && return
  if ! command -v go >/dev/null; then
    echo 'portico: Gotify is built from its source, and there is no Go on the PATH. Install it (https://go.dev/dl), then run this again' >&2
    return 1
  fi
  say "Building Gotify $gotify"
  source=$(mktemp -d)
  cp -r "$(go mod download -json "github.com/gotify/server/v2@v$gotify" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')/." "$source"
  chmod -R u+w "$source"
  mkdir -p "$source/ui/build/static"
  for file in index.html manifest.json asset-manifest.json static/none; do echo '{}' >"$source/ui/build/$file"; done
  (cd "$source" && go build -o "$place/gotify" .)
  rm -rf "$source"
  touch "$stamp"
}

# Whether a program of Debian's is there: unpacked, or on the PATH.
# Not by a pipe to `grep -q`: that one ends at the first match, and `ldd` by a signal, which counts as a failure.
lacks_libraries() { [[ $(ldd "$1" 2>/dev/null) == *'not found'* ]]; }

# Podman starts programs of other packages.
lacks_helpers() { [ "$1" = podman ] && ! command -v conmon >/dev/null; }

# Whether a program can be started.
is_there() {
  local program
  for program in "$place"/debian/usr/{bin,sbin}/"$1"; do
    if [ -x "$program" ] && ! lacks_libraries "$program" && ! lacks_helpers "$1"; then return; fi
  done
  command -v "$1" >/dev/null
}

# Fetches packages into this directory. The lists of packages may be old, or not there yet.
fetch() {
  apt-get download -qq "$@" 2>/dev/null && return
  $sudo apt-get update -qq
  apt-get download -qq "$@" 2>/dev/null
}

# Fetches a package of Debian's part for programs that want some which are not free. The machine may not list that part,
# so it is listed for this one call.
fetch_contrib() {
  apt-get download -qq "$1" 2>/dev/null && return
  local site release
  read -r site release < <(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages')
  mkdir -p apt/lists/partial apt/cache/archives/partial
  echo "deb $site $release contrib" >apt/sources.list
  local settings=(-o "Dir::State::lists=$PWD/apt/lists" -o "Dir::Cache=$PWD/apt/cache"
    -o "Dir::Etc::sourcelist=$PWD/apt/sources.list" -o Dir::Etc::sourceparts=-)
  apt-get update -qq "${settings[@]}" 2>/dev/null && apt-get download -qq "${settings[@]}" "$1" 2>/dev/null
}

missing=()
is_there netdata || missing+=(netdata-core)
is_there prometheus || missing+=(prometheus)
is_there prometheus-node-exporter || is_there node_exporter || missing+=(prometheus-node-exporter)
for package in sabnzbdplus transmission-daemon qbittorrent-nox nzbget caddy crowdsec deluged deluge-web podman runc; do
  is_there "$package" || missing+=("$package")
done
# Both parts of Deluge share this one, which has no program.
case "${missing[*]-}" in *deluge*) missing+=(deluge-common) ;; esac

need_python
# Side by side: most of the time goes by with waiting for packages.
jobs=()
install_python glances-4 "glances[web]==$glances4" & jobs+=($!)
install_python glances-3 "glances[web]==$glances3" & jobs+=($!)
install_python sabnzbd "${sabnzbd_needs[@]}" & jobs+=($!)
install_python aiosmtpd "aiosmtpd==$aiosmtpd" & jobs+=($!)
install_gotify & jobs+=($!)

if [ ${#missing[@]} -gt 0 ]; then
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "portico: these programs are missing, and there is no apt-get to fetch them: ${missing[*]}. Put them" \
      'on the PATH, then run this again' >&2
    exit 1
  fi
  say "Fetching ${missing[*]}"
  packages=$(mktemp -d)
  trap 'rm -rf "$packages"' EXIT
  cd "$packages"
  for package in "${missing[@]}"; do
    case $package in sabnzbdplus) fetch_contrib "$package" ;; *) fetch "$package" ;; esac || {
      echo "portico: the package $package cannot be fetched. Put its program on the PATH, then run this again" >&2
      exit 1
    }
  done
  for package in *.deb; do dpkg-deb --extract "$package" "$place/debian"; done
  for package in *.deb; do
    name=$(dpkg-deb --field "$package" Package)
    for program in "$place"/debian/usr/{bin,sbin}/"${name%-core}"; do
      if [ -x "$program" ] && { lacks_libraries "$program" || lacks_helpers "$name"; }; then
        say "Installing the libraries of $name"
        $sudo apt-get satisfy -y -qq "$(dpkg-deb --field "$package" Depends)" >/dev/null
      fi
    done
  done
  if ls deluge-common*.deb >/dev/null 2>&1; then
    say 'Installing the libraries of Deluge'
    libraries=$(dpkg-deb --field deluge-common*.deb Depends)
    $sudo apt-get satisfy -y -qq "$libraries, python3-libtorrent, python3-mako" >/dev/null
  fi
fi
for job in "${jobs[@]}"; do wait "$job"; done
