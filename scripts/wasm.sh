#!/usr/bin/env bash
# Builds the package @roem/klaverjas: wasm.sh VERSION FOLDER. The folder is the package as npm packs it: the program, its networks, and what
# starts them in pages and in Node.
set -euo pipefail

version=$1 out=$(realpath -m "$2")
rm -rf "$out"
mkdir -p "$out/networks"

# Without C, and without the table of symbols and the data for debuggers, which are a third of the file. With the profile of the server: the
# search is some tenth faster. Only in packages in which time counts functions are inlined: that is a tenth of the file.
inlined=()
for package in runtime internal/... sync sync/... math math/... roem/internal/engine/... roem/internal/model/...; do
  inlined+=("-gcflags=$package=")
done
build() {
  GOOS=js GOARCH=wasm CGO_ENABLED=0 GOFLAGS='' go build -trimpath -pgo="$PWD/cmd/server/default.pgo" -gcflags=all=-l "${inlined[@]}" \
    -ldflags "-s -w -X main.version=$version" -o "$out/$2" "./clients/wasm/program/$1"
  go run ./clients/wasm/shrink "$out/$2"
}
build exact klaverjas.wasm
build whole networks/whole.wasm
for network in deal/weights/{leader,opponents,amsterdam-leader,amsterdam-opponents}.roemnet hand/weights/hand.roemhand \
  belief/weights/klaverjas.belief policy/weights/klaverjas{,-imitation}.policy; do
  cp "internal/model/klaverjas/$network" "$out/networks/"
done
cp internal/engine/klaverjas/puzzles/puzzles.txt "$out/networks/"

bundle() {
  go -C tools tool esbuild "${@:2}" --bundle --minify --format=esm --target=es2022 --log-level=warning \
    --alias:wasm_exec="$(go env GOROOT)/lib/wasm/wasm_exec.js" "$PWD/clients/wasm/src/$1.ts" --outfile="$out/$1.js"
}
bundle index --platform=browser
bundle worker --platform=browser
bundle node --platform=node
bundle worker-node --platform=node

cp clients/wasm/{package.json,README.md} LICENSE "$out"
