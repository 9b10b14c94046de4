#!/usr/bin/env bash
# Measures the estimates and the player of Gin Rummy for lab/docs/gin-rummy/README.md, and writes the plots to lab/docs/gin-rummy. TRAIN=1 learns the weights first.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p lab/docs/gin-rummy
if [ "${TRAIN:-}" = 1 ]; then
	bin/roem-lab gin-rummy train -out internal/model/ginrummy/hand/weights/gin.hand -deals 3000 -epochs 3 -hidden 32 -rate 0.004 -seed 1
	make bin/roem-lab
fi
echo "## Estimates, by honest deals"
bin/roem-lab gin-rummy table -deals 16000 -every 2 -held 500 -trees 100 -nearest 100000
echo "## The network and the uniform estimate on many deals"
bin/roem-lab gin-rummy table -deals 100 -every 1 -held 4000 -rows 1000000 -trees 0 -nearest 0
echo "## Estimates, with the leak of the generator"
bin/roem-lab gin-rummy table -deals 100000 -every 13 -held 600 -rows 6000 -trees 100 -nearest 100000 -reseeded 100000000
echo "## Probes"
bin/roem-lab gin-rummy probes -symmetric -n 500 -seed 1
echo "## The paper's player: Figure 2 and the tournament"
bin/roem-lab gin-rummy ohe -seed 1 -plots lab/docs/gin-rummy
echo "## Player"
bin/roem-lab gin-rummy match -pairs "${GIN_PAIRS:-1000}" -seed 1
