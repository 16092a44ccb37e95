#!/usr/bin/env bash
# Installs what end2end/release/kubernetes.test.mjs needs, if it is missing: the API server of Kubernetes from its Go module, etcd from
# Debian, and the resource HTTPRoute of the Gateway API. Building the API server takes 15 minutes of one core. Run by `make`; safe to
# run again.
# Argument: the directory for build tools.
set -euo pipefail
place=$1/kubernetes
kubernetes=1.37.2
gateway=1.6.3

. "$(dirname "$0")/packages.sh"
need_programs dpkg-deb:dpkg openssl:openssl

folder_of() { go mod download "$1" && go list -m -f '{{.Dir}}' "$1"; }

stamp=$place/$kubernetes-$gateway.installed
[ ! -e "$stamp" ] || exit 0
command -v go >/dev/null || { echo 'portico: go is missing, which builds kube-apiserver. Install it from https://go.dev' >&2; exit 1; }
say "Building the API server of Kubernetes $kubernetes (once for this machine)"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$(folder_of "k8s.io/kubernetes@v$kubernetes")
resources=$(folder_of "sigs.k8s.io/gateway-api@v$gateway")/config/crd/standard
# The module takes its parts from its own folders, which only its repository has. Each part is a module of its own, too.
sed -E "s#^module .*#module kube-apiserver#; s#=> \./staging/src/(.*)#=> \1 v0.${kubernetes#*.}#" "$source/go.mod" >"$work/go.mod"
cp "$source/go.sum" "$work/"
chmod u+w "$work"/go.*
cd "$work"
go mod edit -require "k8s.io/kubernetes@v$kubernetes"
mkdir -p "$place"
# Helm compares the version with what the chart needs.
CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags="-s -w -X k8s.io/component-base/version.gitVersion=v$kubernetes" \
  -o "$place/" k8s.io/kubernetes/cmd/kube-apiserver

install -m 644 "$resources/gateway.networking.k8s.io_httproutes.yaml" "$place/httproutes.yaml"

# Unpacked and not installed, so that no server starts with this machine.
if ! command -v etcd >/dev/null; then
  sudo=''; [ "$(id -u)" = 0 ] || sudo=sudo
  apt-get download -qq etcd-server 2>/dev/null || { $sudo apt-get update -qq; apt-get download -qq etcd-server; }
  dpkg-deb --extract etcd-server_*.deb "$work/etcd"
  cp "$work/etcd/usr/bin/etcd" "$place/"
fi
touch "$stamp"
