#!/usr/bin/env bash
# Lists the packages that the race detector runs: those outside test/ whose files, tests apart, start goroutines or share memory between
# them. A package without either has no race of its own; how the others use it at the same time is run with them. cmd/server is not among
# them: its tests restart servers one after the other, and the servers of test/ are this program.
set -euo pipefail

echo roem/internal/handlers # first: it takes longest
go list -f '{{.Dir}} {{.ImportPath}}{{range .GoFiles}} {{.}}{{end}}' ./... | while read -r dir package files; do
  [[ $package == roem/test* || $package == roem/api* || $package == roem/cmd/server || $package == roem/internal/handlers || -z $files ]] && continue
  # shellcheck disable=SC2086 # a list of names
  if (cd "$dir" && grep -qE '^\s*go |\.Go\(|errgroup|"sync"|"sync/atomic"' $files); then
    echo "$package"
  fi
done
