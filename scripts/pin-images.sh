#!/usr/bin/env bash
# Pins the base images of the Dockerfile and of the examples in deploy/ to the digests that their tags have now at the registry.
#
#   scripts/pin-images.sh           write the digests
#   scripts/pin-images.sh --check   write nothing, and fail if a tag has another digest now
#
# An image is written as NAME:TAG@sha256:DIGEST. The digest is that of the index for all platforms. This needs docker with buildx.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

files=(Dockerfile deploy/compose/compose.yaml deploy/kubernetes/redis.yaml)
stale=0
while read -r image digest; do
  now=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}')
  if ! [[ $now =~ ^sha256:[0-9a-f]{64}$ ]]; then
    echo "no digest of $image: $now" >&2
    exit 1
  fi
  [ "$now" = "$digest" ] && continue
  echo "$image: $digest is now $now"
  stale=1
  [ "${1:-}" = --check ] || sed -i "s|$image@$digest|$image@$now|g" "${files[@]}"
done < <(grep -ohE '[a-z0-9./-]+:[A-Za-z0-9._-]+@sha256:[0-9a-f]{64}' "${files[@]}" | sort -u | sed 's/@/ /')
[ "${1:-}" != --check ] || exit "$stale"
