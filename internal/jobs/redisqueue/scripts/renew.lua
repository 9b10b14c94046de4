-- Renews the leases of a process: stream, entry, task and epoch of each. An unused ticket has no task. Returns 1 for each lease
-- that the process still holds, and 0 for each that it has lost.
accepted()
local inst, slots, lease = ARGV[4], ARGV[5], ARGV[6]
call('SET', p .. 'inst:' .. inst, slots, 'PX', lease)
call('SADD', p .. 'insts', inst)
local out = {}
for i = 7, #ARGV, 4 do
  local stream, entry, id, epoch = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local mine = 1
  if id ~= '' and not held(id, epoch) then mine = 0 end
  if mine == 1 and stream ~= '' then
    if #call('XCLAIM', p .. stream, group, inst, 0, entry, 'JUSTID') == 0 then mine = 0 end
  end
  out[#out + 1] = mine
end
return out
