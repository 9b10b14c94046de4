#!/usr/bin/env bash
# Checks the expressions of a Grafana dashboard with promtool: check-dashboard.sh FILE. promtool checks only rules, so this writes a
# recording rule for each expression.
set -euo pipefail

rules=$(mktemp)
trap 'rm -f "$rules"' EXIT
{
  echo 'groups: [{name: dashboard, rules: ['
  sed -n 's/^ *"expr": "\(.*\)",\{0,1\}$/\1/p' "$1" |
    sed -e 's/\\"/"/g' -e 's/\$__rate_interval/5m/g' -e 's/\$job/.+/g' -e "s/'/''/g" -e "s/.*/{record: dashboard, labels: {n: \"@\"}, expr: '&'},/" |
    awk '{ sub(/@/, NR); print }'
  echo ']}]'
} >"$rules"
count=$(grep -c record: "$rules")
[ "$count" -gt 0 ] || { echo "$1 contains no expression" >&2; exit 1; }
promtool check rules --lint=none "$rules" >/dev/null
echo "$1: $count expressions are valid"
