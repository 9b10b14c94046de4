#!/usr/bin/env bash
# Makes the weights of the deal network again. Written by roem-lab klaverjas eval -script.
set -euo pipefail
roem-lab klaverjas dataset -out data/1 -sampling class-uniform -n 200000 -seed 9001
roem-lab klaverjas dataset -out data/2 -sampling uniform -n 200000 -seed 9002
roem-lab klaverjas dataset -out data/3 -sampling class-uniform -n 1500000 -seed 101
roem-lab klaverjas dataset -out data/4 -sampling uniform -n 1500000 -seed 102
roem-lab klaverjas dataset -out data/5 -sampling classes -seed 1
roem-lab klaverjas dataset -out data/6 -sampling classes -seed 1 -goal value
roem-lab klaverjas dataset -out data/7 -sampling class-uniform -n 2500000 -seed 103
roem-lab klaverjas dataset -out data/8 -sampling uniform -n 2500000 -seed 104 -to 39
roem-lab klaverjas dataset -out data/9 -sampling class-uniform -n 6000000 -seed 206 -to 144
roem-lab klaverjas dataset -out data/10 -sampling uniform -n 6000000 -seed 205 -to 160
roem-lab klaverjas train -out 1.roemnet -version 0 -width 96 -layers 2 -head 128 -rows 100000000 -batch 2048 -rate 0.01 -end-rate 0.3 -decay 0.02 \
  -outcome-weight 0.1 -effort-weight 0.05 -seed 1 -held-out data/1,data/2 data/3 data/4 data/5 data/6 data/7 data/8 data/9 data/10
roem-lab klaverjas dataset -out data/11 -sampling class-uniform -n 6000000 -seed 206 -to 262
roem-lab klaverjas dataset -out data/12 -sampling uniform -n 6000000 -seed 205 -to 290
roem-lab klaverjas train -out 2.roemnet -version 1 -start 1.roemnet -rows 80000000 -batch 4096 -rate 0.006 -end-rate 0 -decay 0.02 \
  -outcome-weight 0.2 -effort-weight 0.05 -seed 1 -held-out data/1,data/2 data/3 data/4 data/5 data/6 data/7 data/8 data/11 data/12
roem-lab klaverjas dataset -out data/13 -sampling class-uniform -n 12000000 -seed 401 -gain 8 -model 2.roemnet -to 288
roem-lab klaverjas dataset -out data/14 -sampling uniform -n 12000000 -seed 402 -gain 8 -model 2.roemnet -to 184
roem-lab klaverjas train -out leader.roemnet -version 2 -start 2.roemnet -rows 140000000 -batch 4096 -rate 0.006 -end-rate 0 -decay 0.02 \
  -outcome-weight 0.2 -effort-weight 0.05 -seed 1 -held-out data/1,data/2 data/3 data/4 data/5 data/6 data/6 data/7 data/8 data/11 data/12 data/13 data/14 data/13 data/14
roem-lab klaverjas dataset -out data/15 -sampling class-uniform -n 32768 -seed 9001 -declarer EW
roem-lab klaverjas dataset -out data/16 -sampling uniform -n 32768 -seed 9002 -declarer EW
roem-lab klaverjas dataset -out data/17 -sampling class-uniform -n 114688 -seed 201 -declarer EW
roem-lab klaverjas dataset -out data/18 -sampling uniform -n 114688 -seed 202 -declarer EW
roem-lab klaverjas dataset -out data/19 -sampling class-uniform -n 327680 -seed 207 -declarer EW
roem-lab klaverjas dataset -out data/20 -sampling uniform -n 327680 -seed 208 -declarer EW
roem-lab klaverjas dataset -out data/21 -sampling uniform -n 32768 -seed 304 -goal value -declarer EW
roem-lab klaverjas train -out opponents.roemnet -version 2 -start leader.roemnet -rows 4000000 -batch 1024 -rate 0.002 -end-rate 0 -decay 0.02 \
  -outcome-weight 0.3 -effort-weight 0.05 -seed 1 -held-out data/15,data/16 data/17 data/18 data/19 data/20 data/21 data/21
roem-lab klaverjas dataset -out data/22 -sampling class-uniform -n 16384 -seed 9001 -rules '{"system":"amsterdam"}'
roem-lab klaverjas dataset -out data/23 -sampling uniform -n 16384 -seed 9002 -rules '{"system":"amsterdam"}'
roem-lab klaverjas dataset -out data/24 -sampling uniform -n 294912 -seed 602 -rules '{"system":"amsterdam"}' -to 7
roem-lab klaverjas dataset -out data/25 -sampling class-uniform -n 294912 -seed 601 -rules '{"system":"amsterdam"}' -to 4
roem-lab klaverjas dataset -out data/26 -sampling uniform -n 4096 -seed 304 -goal value -rules '{"system":"amsterdam"}'
roem-lab klaverjas train -out amsterdam-leader.roemnet -version 2 -start leader.roemnet -rows 368640 -batch 1024 -rate 0.004 -end-rate 0 -decay 0.02 \
  -outcome-weight 0.3 -effort-weight 0.05 -seed 1 -held-out data/22,data/23 data/24 data/25 data/26
roem-lab klaverjas dataset -out data/27 -sampling class-uniform -n 16384 -seed 9001 -rules '{"system":"amsterdam"}' -declarer EW
roem-lab klaverjas dataset -out data/28 -sampling uniform -n 16384 -seed 9002 -rules '{"system":"amsterdam"}' -declarer EW
roem-lab klaverjas dataset -out data/29 -sampling uniform -n 294912 -seed 602 -rules '{"system":"amsterdam"}' -declarer EW -to 7
roem-lab klaverjas dataset -out data/30 -sampling class-uniform -n 294912 -seed 601 -rules '{"system":"amsterdam"}' -declarer EW -to 4
roem-lab klaverjas dataset -out data/31 -sampling uniform -n 4096 -seed 304 -goal value -rules '{"system":"amsterdam"}' -declarer EW
roem-lab klaverjas train -out amsterdam-opponents.roemnet -version 2 -start opponents.roemnet -rows 368640 -batch 1024 -rate 0.004 -end-rate 0 -decay 0.02 \
  -outcome-weight 0.3 -effort-weight 0.05 -seed 1 -held-out data/27,data/28 data/29 data/30 data/31
