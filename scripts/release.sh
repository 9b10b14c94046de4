#!/usr/bin/env bash
# Writes what a release consists of: release.sh VERSION FOLDER CYCLONEDX [PLATFORMS]. With TRIAL=1 also from a commit without a tag.
#
# The folder gets archives of the programs, an image, lists of what the programs consist of (CycloneDX), the packages of the clients, and
# the checksums of all. The client for TypeScript has been built, and CYCLONEDX is the program cyclonedx-gomod.
set -euo pipefail

version=$1 dist=$2 cyclonedx=$3 platforms=${4:-}
scripts/need.sh node:nodejs npm python3

# Everything has the time of the commit, so that a second build gives the same bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 946684800)}
export SOURCE_DATE_EPOCH

rm -rf "$dist"
mkdir -p "$dist"
go -C tools/release run -trimpath . -version "$version" -out "$dist" ${TRIAL:+-trial} ${platforms:+-platforms "$platforms"}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for archive in "$dist"/*-linux-*.tar.gz; do
  [ -e "$archive" ] || continue
  tar -xzf "$archive" -C "$work"
  name=$(basename "$archive" .tar.gz)
  for program in server roem; do
    list="$dist/$name-$program.cdx.json"
    "$cyclonedx" bin -json -std -noserial -version "$version" -output "$list" "$work/$name/$program" 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
    go -C tools/audit run ./sbom "$PWD/$list"
  done
done

# The packages of the clients have the licence, which is in the project once.
trap 'rm -rf "$work" clients/{typescript,python,go}/LICENSE' EXIT
for client in typescript python go; do cp LICENSE clients/$client; done
npm pack --ignore-scripts --silent --pack-destination "$dist" ./clients/typescript >/dev/null
tools/board/node_modules/.bin/tsc -p clients/wasm # make has built the rest of the package
npm pack --ignore-scripts --silent --pack-destination "$dist" ./bin/wasm >/dev/null
PYTHONPATH=clients/python PYTHONDONTWRITEBYTECODE=1 python3 -c 'import backend, sys; backend.build_wheel(sys.argv[1])' "$dist"
tar -C clients --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" --exclude='*_test.go' \
  --transform "s,^go,roem-$version-go-client," -cf - go | gzip -n9 >"$dist/roem-$version-go-client.tar.gz"
go -C tools/release run -trimpath . -out "$dist" -checksums
ls -l "$dist"
