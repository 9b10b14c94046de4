#!/bin/sh
# Copies Preact into internal/web/board/vendor, and axe-core, which only the tests of the pages use, into test/board/testdata. It packs
# instead of installing: nothing of these packages runs here.
#
#	sh tools/board/vendor.sh [PREACT-RELEASE [AXE-RELEASE]]
set -eu
preact=${1:-11.2.0}
axe=${2:-4.14.1}
root=$(cd "$(dirname "$0")/../.." && pwd)
into=$root/internal/web/board/vendor/preact
tests=$root/test/board/testdata
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir preact axe
npm pack --silent "preact@$preact" >/dev/null
tar xzf preact-*.tgz -C preact
npm pack --silent "axe-core@$axe" >/dev/null
tar xzf axe-core-*.tgz -C axe

rm -rf "$into"
cd preact/package
mkdir -p "$tests"
# The compiled modules without the comments that name their source maps, and the types, in the places of the package.
for file in dist/preact.mjs hooks/dist/hooks.mjs jsx-runtime/dist/jsxRuntime.mjs src/index.d.ts src/jsx.d.ts src/dom.d.ts \
  hooks/src/index.d.ts jsx-runtime/src/index.d.ts LICENSE; do
  mkdir -p "$into/$(dirname "$file")"
  grep -v '^//# sourceMappingURL=' "$file" >"$into/$file"
done
echo "$preact" >"$into/RELEASE"
cd ../../axe/package
cp axe.min.js "$tests/axe.min.js"
cp LICENSE "$tests/axe.LICENSE"
cp LICENSE-3RD-PARTY.txt "$tests/axe.LICENSE-3RD-PARTY.txt"
