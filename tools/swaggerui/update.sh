#!/bin/sh
# Takes the files of the API documentation page out of the npm package swagger-ui-dist, the release given or the one
# below, into internal/web/swaggerui. It packs instead of installing: nothing of the package or of what it depends on runs.
#
#	sh tools/swaggerui/update.sh [RELEASE]
set -eu
release=${1:-5.35.0}
into=$(cd "$(dirname "$0")/../../internal/web/swaggerui" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent "swagger-ui-dist@$release" >/dev/null
tar xzf swagger-ui-dist-*.tgz
cd package
cp LICENSE NOTICE swagger-ui-bundle.js swagger-ui-bundle.js.LICENSE.txt swagger-ui.css "$into"
echo "$release" >"$into/RELEASE"
