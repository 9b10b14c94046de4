#!/usr/bin/env bash
# What somebody does first with the clients in a clone: installs the client for TypeScript from its folder, and gives the first program of
# the README for Python to two type checkers.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
project=$PWD

rm -rf clients/typescript/dist
mkdir "$work/typescript"
cd "$work/typescript"
echo '{"type": "module"}' >package.json
npm install --silent --no-audit --no-fund --no-update-notifier "$project/clients/typescript"
node --input-type=module -e "import { Roem } from '@roem/client'; new Roem()"
echo "npm install clients/typescript has installed the client"

mkdir "$work/python"
cd "$work/python"
{
  awk '$0 == "   ```python" { on = 1; next } on && /^   ```/ { exit } on' "$project/clients/python/README.md" | sed 's/^   //'
  echo 'from roem.contract import KlaverjasSolution'
  echo 'def line(of: KlaverjasSolution) -> list[str]: return list(of.get("line", []))'
} >first.py
echo "{\"extraPaths\": [\"$project/clients/python\"], \"typeCheckingMode\": \"strict\", \"pythonVersion\": \"3.11\"}" >pyrightconfig.json
"$project/tools/board/node_modules/.bin/pyright" .
MYPYPATH=$project/clients/python mypy --strict --enable-incomplete-feature=Unpack --cache-dir="$work/mypy" first.py
