# shellcheck shell=bash
# How programs of Debian's are installed. Sourced by other scripts.

say() { printf '\033[1m▸ %s\033[0m\n' "$*"; }

# Installs the programs that are missing. Arguments: `PROGRAM:PACKAGE`.
need_programs() {
  local missing=() names=() pair sudo=''
  for pair; do
    PATH=$PATH:/usr/sbin command -v "${pair%%:*}" >/dev/null || { missing+=("${pair#*:}"); names+=("${pair%%:*}"); }
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    echo "portico: these programs are missing, and there is no apt-get to install them: ${names[*]}" >&2
    return 1
  fi
  say "Installing ${missing[*]}"
  [ "$(id -u)" = 0 ] || sudo=sudo
  $sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
