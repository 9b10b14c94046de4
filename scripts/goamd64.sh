#!/usr/bin/env bash
# Prints the level of the x86-64 instruction set that this machine has, v3 or v1, for GOAMD64 (go.dev/wiki/MinimumRequirements).
set -euo pipefail

flags=$(grep -m 1 '^flags' /proc/cpuinfo 2>/dev/null || true)
for flag in avx avx2 bmi1 bmi2 f16c fma abm movbe xsave; do
	case " $flags " in
	*" $flag "*) ;;
	*) echo v1 && exit ;;
	esac
done
echo v3
