#!/usr/bin/env bash
# Makes sure that programs are installed: need.sh PROGRAM[:PACKAGE]...
#
# A missing program is installed with apt-get on Debian or Ubuntu if the user is root. Otherwise the script lists what is missing and
# fails, so that no test or check is skipped silently.
set -euo pipefail

missing=()
for item in "$@"; do
  program=${item%%:*} package=${item##*:}
  command -v "$program" >/dev/null || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "missing: ${missing[*]}; please install (on Debian and Ubuntu: sudo apt-get install ${missing[*]})" >&2
  exit 1
fi

echo "installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update && apt-get install --yes --no-install-recommends "${missing[@]}"; } </dev/null >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
