#!/usr/bin/env bash
# Installs what `make release` and `make test-release` need, if it is missing. Run by `make`; safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
tools=$1
zigbuild=0.24.1
zig=0.15.2

. "$(dirname "$0")/../../tools/python.sh"
. "$(dirname "$0")/packages.sh"
need_programs buildah:buildah debootstrap:debootstrap dpkg-deb:dpkg file:file openssl:openssl \
  qemu-aarch64-static:qemu-user-static unshare:util-linux xz:xz-utils

# The C compiler and the linker for other processors.
if [ ! -e "$tools/zig/$zigbuild-$zig.installed" ]; then
  need_python
  say 'Installing cargo-zigbuild and zig from PyPI'
  rm -rf "$tools/zig"
  python3 -m venv "$tools/zig"
  "$tools/zig/bin/pip" install --quiet --disable-pip-version-check --no-compile "cargo-zigbuild==$zigbuild" "ziglang==$zig"
  touch "$tools/zig/$zigbuild-$zig.installed"
fi
mkdir -p "$tools/bin"
ln -sf ../zig/bin/cargo-zigbuild ../zig/bin/python-zig "$tools/bin/"

# Puts the source of Rust's library into the toolchain: from rustup, or from the release of Debian that has this version.
install_rust_source() {
  rustup --quiet component add rust-src 2>/dev/null && return
  local version site suite file work apt
  version=$(rustc -vV | sed -n 's/^release: //p')
  site=$(apt-get indextargets --format "\$(SITE)" 'Created-By: Packages' | grep -v security | head -1)
  work=$(mktemp -d)
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  apt=(-qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$work/lists"
    -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
  for suite in trixie-backports trixie forky sid; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $suite main" >"$work/sources.list"
    apt-get "${apt[@]}" update 2>/dev/null || continue
    file=$(apt-cache "${apt[@]}" madison rust-src | awk -v version="$version+" 'index($3, version) == 1 { print $3; exit }')
    [ -z "$file" ] || break
  done
  [ -n "${file:-}" ] || { echo "portico: the source of Rust $version is missing. Install it: rustup component add rust-src" >&2; return 1; }
  (cd "$work" && apt-get "${apt[@]}" download "rust-src=$file" && dpkg-deb --extract rust-src_*.deb .)
  mkdir -p "$(rustc --print sysroot)/lib/rustlib/src/rust"
  cp -r "$work"/usr/src/rustc-*/library "$(rustc --print sysroot)/lib/rustlib/src/rust/"
  rm -rf "$work"
}

for target in x86_64-unknown-linux-musl aarch64-unknown-linux-musl armv7-unknown-linux-musleabihf; do
  compgen -G "$(rustc --print target-libdir --target $target)/libstd-*.rlib" >/dev/null && continue
  # Where a target cannot be had, its library is built from the source.
  [ ! -e "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ] || continue
  say "Installing the Rust target $target"
  rustup --quiet target add $target 2>/dev/null || install_rust_source
done

# Where the tests install the package. Making it needs root.
if [ "$(id -u)" = 0 ] && [ ! -e "$tools/debian/etc/debian_version" ]; then
  say 'Installing a minimal Debian for the tests of the package'
  rm -rf "$tools/debian"
  debootstrap --variant=minbase bookworm "$tools/debian" >/dev/null
  # In a container, debootstrap leaves these mounted.
  for place in proc sys; do
    if mountpoint --quiet "$tools/debian/$place"; then umount "$tools/debian/$place"; fi
  done
fi
