#!/usr/bin/env bash
# Builds a release for this platform twice and compares the bytes. Then it uses the first one as somebody who has nothing else: it starts
# the server, solves a deal at the command line, and runs the first program of each client's README, each from an empty folder.
set -euo pipefail

version=$(sed -n 's/^  version: //p' api/openapi.yaml)
platform="$(go env GOOS)/$(go env GOARCH)"
[ "$(go env GOOS)" = linux ] || { echo "the release is tested on Linux" >&2; exit 1; }

work=$(mktemp -d)

trap '[ ! -e "$work/pid" ] || kill "$(cat "$work/pid")"; rm -rf "$work"' EXIT
go -C tools/release test ./...
! make --no-print-directory release VERSION=v99.9.9 DIST=dist >"$work/log" 2>&1 || { echo "make release makes a version that there is not" >&2; exit 1; }
release() {
  local from=$SECONDS
  make --no-print-directory release TRIAL=1 VERSION="v$version" PLATFORMS="$platform" DIST=dist >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  echo "a release for $platform: $((SECONDS - from)) s"
}
release
cp -r dist "$work/dist"
release
diff -rq dist "$work/dist"
echo "a second build gave the same bytes"

project=$PWD
cd "$work/dist"
sha256sum --quiet -c SHA256SUMS

# step NAME COMMAND... runs a command in an empty folder and says how long it took.
step() {
  local name=$1 from=$SECONDS
  shift
  mkdir "$work/$name"
  (cd "$work/$name" && "$@")
  echo "$name: $((SECONDS - from)) s"
}

first() { # prints the first program in the language $1 of the README of a client
  awk -v begin="   \`\`\`$1" '$0 == begin { on = 1; next } on && /^   ```/ { exit } on' "$project/clients/$2/README.md" |
    sed "s/^   //; s,http://localhost:8080,$address,"
}

# expect fails unless the standard input is the same as the answer to the deal of the READMEs at the command line.
expect() {
  tr -cd '0-9A-Z -' >got
  [ "$(grep -Eo '[0-9]+|[CDHS]' got | head -4 | wc -l)" -eq 4 ] && grep -q -- "$outcome" got || { echo "not the answer $outcome: $(cat got)" >&2; exit 1; }
}

use_archive() {
  tar -xzf "$work/dist/roem-$version-${platform/\//-}.tar.gz"
  cd "roem-$version-${platform/\//-}"
  grep -qF "$version" README.md && grep -qF './server' README.md
  ./server -config roem.yaml -check
  ./roem version | grep -F "$version"
  ./server -version | grep -F "$version"
  ROEM_ADDR=127.0.0.1:0 ROEM_DATA="$work/data" ./server 2>"$work/server.log" &
  echo $! >"$work/pid"
  until address=$(grep -o '"msg":"listening".*' "$work/server.log" | grep -Eo '127\.0\.0\.1:[0-9]+'); do sleep 0.1; done
  echo "http://$address" >"$work/address"
  [ "$(node -p 'JSON.parse(require("fs").readFileSync(0)).version' < <(curl -sf "http://$address/version"))" = "$version" ]
  [ "$(node -p 'JSON.parse(require("fs").readFileSync(0)).info.version' < <(curl -sf "http://$address/openapi.json"))" = "$version" ]
}

use_typescript() {
  npm install --silent --no-audit --no-fund --offline "$work/dist/roem-client-$version.tgz"
  first ts typescript | sed -E 's/([a-z])!/\1/g' >first.mjs # JavaScript has no types
  node first.mjs | expect
}

use_python() {
  python3 -m venv venv
  venv/bin/pip install --quiet --no-index --disable-pip-version-check "$work/dist/roem-$version-py3-none-any.whl"
  first python python >first.py
  venv/bin/python first.py | expect
}

use_go() {
  tar -xzf "$work/dist/roem-$version-go-client.tar.gz"
  local module
  module=$(sed -n 's/^module //p' "roem-$version-go-client/go.mod")
  export GOFLAGS='' GOPROXY=off
  go mod init first 2>/dev/null
  go mod edit -require "$module@v0.0.0" -replace "$module=./roem-$version-go-client"
  first go go >first.go
  go run first.go | expect
}

# The image has no tool that runs it here: its only layer is unpacked, and its programs run with it as their root.
use_image() {
  tar -xf "$work/dist/roem-$version-image.tar"
  if command -v skopeo >/dev/null; then
    skopeo copy --all --insecure-policy "oci-archive:$work/dist/roem-$version-image.tar" "oci:copy:$version"
    skopeo copy --insecure-policy "docker-archive:$work/dist/roem-$version-image.tar:roem:$version" dir:saved
  fi
  cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
const blob = (d) => 'blobs/' + d.digest.replace(':', '/')
const read = (d) => JSON.parse(readFileSync(blob(d)))
const { manifests: whole } = JSON.parse(readFileSync('index.json'))
if (whole.length !== 1) throw new Error(`the layout has ${whole.length} images, and not an index of them`)
const manifest = read(read(whole[0]).manifests[0])
const { config } = read(manifest.config)
console.error(JSON.stringify(config))
if (config.User !== '65532:65532' || config.Entrypoint[0] !== '/usr/local/bin/server' || !config.Healthcheck) process.exit(1)
for (const layer of manifest.layers) console.log(blob(layer))
JS
  mkdir root
  node read.mjs | while read -r layer; do tar -xzf "$layer" -C root; done
  [ "$(stat -c %u:%g root/data)" = 65532:65532 ] || [ "$(id -u)" -ne 0 ]
  if [ "$(id -u)" -eq 0 ]; then
    chroot --userspec=65532:65532 root /usr/local/bin/server -version | grep -F "$version"
  else
    root/usr/local/bin/server -version | grep -F "$version"
  fi
}

step archive use_archive
address=$(cat "$work/address")
outcome=$(curl -sf "$address/v1/klaverjas/solve" -H 'Content-Type: application/json' -d '{"trump": "S", "leader": "S", "hands": {
  "N": ["9C", "10C", "7D", "7H", "9H", "10H", "10S", "AS"], "E": ["8C", "QC", "KC", "JD", "KD", "8H", "QH", "AH"],
  "S": ["7C", "JC", "AC", "JH", "KH", "7S", "9S", "KS"], "W": ["8D", "9D", "10D", "QD", "AD", "8S", "JS", "QS"]}}' |
  node -p 'Math.abs(JSON.parse(require("fs").readFileSync(0)).outcome)')
echo "the first answer: $outcome points"
step typescript use_typescript
step python use_python
step go use_go
step image use_image
