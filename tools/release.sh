#!/usr/bin/env bash
# Builds the files of a release into dist/release. The same commit gives the same bytes on every machine with the same tools.
#
#   tools/release.sh VERSION
#
# `make release` installs what it needs first: cargo-zigbuild, buildah, dpkg-deb, the Rust targets. PROCESSORS chooses among
# "amd64 arm64 arm"; it must contain the processor of this machine. PROGRAMS is a folder with finished programs, `portico-amd64`
# and so on, if they were built elsewhere; OUT is another folder for the files. IMAGE and OWNER are the name of the image in a
# registry, and who publishes the release; both get into the files that name them.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?usage: tools/release.sh VERSION}
stated=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
[ "$version" = "$stated" ] || { echo "release: Cargo.toml says $stated; set its version first" >&2; exit 1; }

export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export TZ=UTC LC_ALL=C CARGO_INCREMENTAL=0
umask 022
processors=${PROCESSORS:-amd64 arm64 arm}
revision=$(git rev-parse HEAD)
root=$PWD
target=${CARGO_TARGET_DIR:-$root/target}
out=${OUT:-$root/dist/release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf '\033[1m▸ %s\033[0m\n' "$*"; }

# Rust's name of a processor, Debian's, and the one of the archive.
names() {
  case $1 in
    amd64) echo x86_64-unknown-linux-musl amd64 x86_64 ;;
    arm64) echo aarch64-unknown-linux-musl arm64 aarch64 ;;
    arm) echo armv7-unknown-linux-musleabihf armhf armv7 ;;
    *) echo "release: unknown processor $1" >&2; return 1 ;;
  esac
}

# pip calls it so.
: "${CARGO_ZIGBUILD_ZIG_PATH:=$(command -v zig || command -v python-zig || true)}"
export CARGO_ZIGBUILD_ZIG_PATH

# A static program. zig compiles the C code and links, with its own copy of musl. No path of this machine gets into it.
program() {
  local rust variable path flags=() maps=() options=(--release --locked --package server --features embed)
  read -r rust _ <<<"$(names "$1")"
  # The last one that matches counts.
  for path in "${CARGO_HOME:-$HOME/.cargo}/registry/src=/crates" "$(rustc --print sysroot)/lib/rustlib/src/rust=/rust" \
    "$root=/portico" "$target=/target"; do
    flags+=("--remap-path-prefix=$path")
    maps+=("-ffile-prefix-map=$path")
  done
  variable=CFLAGS_${rust//-/_}
  export "$variable=${maps[*]}"
  if compgen -G "$(rustc --print target-libdir --target "$rust")/libstd-*.rlib" >/dev/null; then
    RUSTFLAGS="${flags[*]}" cargo zigbuild --target "$rust" "${options[@]}"
  else
    # The toolchain has Rust's library for this processor only as a source.
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="${flags[*]}" cargo zigbuild --target "$rust" "${options[@]}" -Z build-std=std,panic_unwind
  fi
  cp "$target/$rust/release/portico" "$work/portico-$1"
}

# An archive whose bytes depend only on the files: `archive FILE.tar.gz FOLDER NAME…`
archive() {
  local file=$1 folder=$2; shift 2
  tar --create --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --directory "$folder" "$@" | gzip --no-name --best >"$file"
}

debian_package() {
  local debian folder=$work/deb-$1
  read -r _ debian _ <<<"$(names "$1")"
  install -D -m 755 "$work/portico-$1" "$folder/usr/bin/portico"
  install -D -m 644 deploy/portico.service "$folder/usr/lib/systemd/system/portico.service"
  install -D -m 644 deploy/debian/user.conf "$folder/usr/lib/systemd/system/portico.service.d/user.conf"
  install -D -m 640 deploy/portico.env "$folder/etc/portico/portico.env"
  install -D -m 644 "$work/shared/completions/portico.bash" "$folder/usr/share/bash-completion/completions/portico"
  install -D -m 644 "$work/shared/completions/_portico" "$folder/usr/share/zsh/vendor-completions/_portico"
  install -D -m 644 "$work/shared/completions/portico.fish" "$folder/usr/share/fish/vendor_completions.d/portico.fish"
  mkdir -p "$folder/usr/share/man/man1" "$folder/usr/share/doc/portico"
  gzip --no-name --best <"$work/shared/portico.1" >"$folder/usr/share/man/man1/portico.1.gz"
  install -m 644 LICENSE "$folder/usr/share/doc/portico/copyright"
  gzip --no-name --best <"$work/shared/THIRD-PARTY-LICENSES.txt" >"$folder/usr/share/doc/portico/third-party-licenses.gz"
  mkdir "$folder/DEBIAN"
  install -m 755 deploy/debian/{postinst,prerm,postrm} "$folder/DEBIAN/"
  echo /etc/portico/portico.env >"$folder/DEBIAN/conffiles"
  cat >"$folder/DEBIAN/control" <<EOF
Package: portico
Version: $version
Architecture: $debian
Maintainer: Portico
Depends: passwd
Section: web
Priority: optional
Installed-Size: $(du --apparent-size -sk "$folder/usr" | cut -f1)
Description: start page for everything you run
 One program and one config file: it shows your services as a fast, searchable
 page. The config is /var/lib/portico/conf.yml.
EOF
  dpkg-deb --root-owner-group -Zxz --build "$folder" "$out/portico_${version}_$debian.deb" >/dev/null
}

image() {
  local folders=() options processor
  mkdir -p "$work/image/root/app/user-data" "$work/image/links/usr/local/bin"
  ln -s portico "$work/image/links/usr/local/bin/node"
  for processor in $processors; do cp "$work/portico-$processor" "$work/image/"; done
  for processor in $processors; do
    options=(--arch "$processor")
    [ "$processor" = arm ] && options+=(--variant v7)
    buildah --storage-driver vfs --root "$work/storage" --runroot "$work/run" bud --quiet --isolation chroot --format docker \
      --timestamp "$SOURCE_DATE_EPOCH" "${options[@]}" --build-arg TARGETARCH="$processor" --build-arg VERSION="$version" \
      --build-arg REVISION="$revision" --file deploy/Containerfile --tag "portico:$processor" "$work/image" >/dev/null
    buildah --storage-driver vfs --root "$work/storage" --runroot "$work/run" push --quiet "portico:$processor" "dir:$work/pushed-$processor"
    folders+=("$work/pushed-$processor")
  done
  node deploy/build/image.mjs "$work/layout" "portico:$version" "${folders[@]}"
  tar --create --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --directory "$work/layout" --file "$out/portico-$version-image.tar" blobs index.json oci-layout
}

if [ -n "${PROGRAMS:-}" ]; then
  for processor in $processors; do cp "$PROGRAMS/portico-$processor" "$work/"; done
else
  node tools/bundle.mjs release
  for processor in $processors; do
    say "Building the program for $processor"
    program "$processor"
  done
fi
rm -rf "$out"
mkdir -p "$out" "$work/shared/completions"

say 'Packing'
this=$work/portico-$(case $(uname -m) in x86_64) echo amd64 ;; aarch64) echo arm64 ;; *) echo arm ;; esac)
"$this" completions bash >"$work/shared/completions/portico.bash"
"$this" completions zsh >"$work/shared/completions/_portico"
"$this" completions fish >"$work/shared/completions/portico.fish"
"$this" manual >"$work/shared/portico.1"
targets=()
for processor in $processors; do targets+=("$(names "$processor" | cut -d' ' -f1)"); done
node deploy/build/components.mjs "$work/shared" "${targets[@]}"
cp LICENSE deploy/portico.service deploy/portico.env "$work/shared/"
mv "$work/shared/sbom.cdx.json" "$out/portico-$version-sbom.cdx.json"
for processor in $processors; do
  name=portico-$version-linux-$(names "$processor" | cut -d' ' -f3)
  cp -r "$work/shared" "$work/$name"
  install -m 755 "$work/portico-$processor" "$work/$name/portico"
  archive "$out/$name.tar.gz" "$work" "$name"
  debian_package "$processor"
done
image
# Helm needs the description of the chart first, which the order of names gives.
cp -r deploy/helm/portico deploy/templates deploy/proxmox "$work/"
cp deploy/{compose.yaml,portico.container,kubernetes.yaml,flake.nix} "$out/"
if [ -n "${IMAGE:-}${OWNER:-}" ]; then
  find "$work/portico" "$work/templates" "$work/proxmox" "$out"/{compose.yaml,portico.container,kubernetes.yaml} -type f -exec sed -i -E \
    -e "s#\b(localhost/)?portico:$version\b#${IMAGE:-portico}:$version#" -e "s#^  repository: portico\$#  repository: ${IMAGE:-portico}#" \
    -e "s#\bOWNER/#${OWNER:-OWNER}/#" {} +
fi
archive "$out/portico-chart-$version.tgz" "$work" portico
archive "$out/portico-templates-$version.tar.gz" "$work" templates proxmox
touch --date="@$SOURCE_DATE_EPOCH" "$out"/*
node deploy/build/provenance.mjs "$out" "$revision" "${targets[@]}" >"$work/provenance.json"
mv "$work/provenance.json" "$out/portico-$version-provenance.json"
(cd "$out" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
ls -l "$out"
