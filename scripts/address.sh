#!/usr/bin/env bash
# Writes the address of the project wherever it stands: address.sh https://host/owner/roem
set -euo pipefail

address=${1%/}
[[ $address =~ ^https://[a-z0-9.-]+(/[A-Za-z0-9._~-]+)*$ ]] || { echo "usage: make address ADDRESS=https://host/owner/roem" >&2; exit 2; }

# The path of the client for Go is the address of the repository with the folder of the client.
old=$(sed -n 's/^module //p' clients/go/go.mod)
new=${address#https://}/clients/go
git grep -lF "$old" -- clients/go examples docs/project/decisions.md | xargs sed -i "s,$old,$new,g"

sed -i "/^  contact: {url: /d; s,^  version: .*,&\n  contact: {url: '$address'}," api/src/root.yaml
sed -i "/\"homepage\": /d; s,^  \"license\": .*,&\n  \"homepage\": \"$address\"\,," clients/typescript/package.json
sed -i "/^\[project.urls\]/d; /^Homepage = /d" clients/python/pyproject.toml
printf '[project.urls]\nHomepage = "%s"\n' "$address" >>clients/python/pyproject.toml
sed -i "/image.source=/d; s,^LABEL .*,&\n      org.opencontainers.image.source=\"$address\" \\\\," Dockerfile
