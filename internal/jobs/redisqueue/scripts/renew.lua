-- Renews the leases of a process: task and epoch of each. Returns 1 for each lease that the process still holds, and 0 for each that it has lost.
accepted()
local inst, slots = ARGV[5], ARGV[6]
call('SET', p .. 'inst:' .. inst, slots, 'PX', math.floor(lease / 1000))
call('SADD', p .. 'insts', inst)
local out = {}
for i = 7, #ARGV, 2 do
  local mine = held(ARGV[i], ARGV[i + 1])
  if mine then call('ZADD', p .. 'leases', clock + lease, ARGV[i]) end
  out[#out + 1] = mine and 1 or 0
end
return out
