-- Returns the numbers of waiting and running tasks, how long the oldest waiting task has waited, the mean duration of an
-- attempt, and the slots.
local slots = 0
for _, i in ipairs(call('SMEMBERS', p .. 'insts')) do
  slots = slots + tonumber(call('GET', p .. 'inst:' .. i) or 0)
end
local oldest = now
for _, id in ipairs(call('ZRANGE', p .. 'queue', 0, 999)) do
  oldest = math.min(oldest, number(W(id), 'created'))
end
return {call('ZCARD', p .. 'queue'), call('SCARD', p .. 'running'), now - oldest, number(p .. 'meta', 'mean'), slots}
