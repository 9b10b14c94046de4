#!/usr/bin/env bash
# Checks the code for known vulnerabilities: those in functions that the programs call.
#
# Exit status: 0 if there are none; 3 if there are some; 75 (EX_TEMPFAIL) if the database of vulnerabilities cannot be reached, which is
# not a success: nothing was checked; any other if govulncheck failed. GOVULNDB names another database than https://vuln.go.dev.
#
#   scripts/vulncheck.sh [PACKAGES]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tool=.tools/govulncheck
go build -C tools/audit -trimpath -o "$PWD/$tool" golang.org/x/vuln/cmd/govulncheck || exit 1

errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
"$tool" ${GOVULNDB:+-db "$GOVULNDB"} "${@:-./...}" 2>"$errors"
status=$?
cat "$errors" >&2
# govulncheck ends with 3 for vulnerabilities, and with 1 for all errors alike.
if [ "$status" -eq 1 ] && grep -qE 'fetching vulnerabilities|creating client' "$errors"; then
  echo "NOT CHECKED: the database of vulnerabilities cannot be reached" >&2
  exit 75
fi
exit "$status"
