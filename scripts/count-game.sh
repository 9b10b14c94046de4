#!/usr/bin/env bash
# Counts the lines that people write for the example of docs/project/adding-a-game.md: its part of the contract, its code, its page and its
# tests, blank lines and comments too. It fails above 400 lines: then a game has become harder to add.
set -euo pipefail
cd "$(dirname "$0")/../test/nim"
wc -l nim.yaml engine.go game.go page.tsx nim_test.go
[ "$(cat nim.yaml engine.go game.go page.tsx nim_test.go | wc -l)" -le 400 ]
