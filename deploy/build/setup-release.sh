#!/usr/bin/env bash
# Installs what `make release` and `make test-release` need, if it is missing. Run by `make`; safe to run again.
# Argument: the directory for build tools.
set -euo pipefail
tools=$1
zigbuild=0.24.1
zig=0.15.2

. "$(dirname "$0")/../../tools/python.sh"
. "$(dirname "$0")/packages.sh"
need_programs buildah:buildah debootstrap:debootstrap dpkg-deb:dpkg openssl:openssl \
  unshare:util-linux xz:xz-utils

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

for target in x86_64-unknown-linux-musl aarch64-unknown-linux-musl armv7-unknown-linux-musleabihf; do
  compgen -G "$(rustc --print target-libdir --target $target)/libstd-*.rlib" >/dev/null && continue
  # Where a target cannot be had, its library is built from the source.
  [ ! -e "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ] || continue
  say "Installing the Rust target $target"
  rustup --quiet target add $target 2>/dev/null || rustup --quiet component add rust-src
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
