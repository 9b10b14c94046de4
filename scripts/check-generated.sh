#!/usr/bin/env bash
# Fails if `make generate` changes any file: the committed files must be those that the generators write.
#
# It compares the working tree before and after, so that unrelated uncommitted changes do not matter. In a fresh clone this is the same
# as "git diff is empty".
set -euo pipefail

# tree writes all files that git would commit as a tree object and prints its name. It does not change the index.
tree() {
  local index
  index=$(mktemp -u)
  GIT_INDEX_FILE=$index git add --all .
  GIT_INDEX_FILE=$index git write-tree
  rm -f "$index"
}

before=$(tree)
make --no-print-directory generate
after=$(tree)

if [ "$before" != "$after" ]; then
  git --no-pager diff --stat "$before" "$after"
  git --no-pager diff "$before" "$after" | sed -n '1,200p'
  echo "generated files are out of date: run 'make generate' and commit the result" >&2
  exit 1
fi
echo "generated files are up to date"
