-- Returns the numbers of waiting and running tasks, the creation time of the oldest waiting task, the mean duration of an
-- attempt, and the slots.
local slots = 0
for _, i in ipairs(call('SMEMBERS', p .. 'insts')) do
  slots = slots + tonumber(call('GET', p .. 'inst:' .. i) or 0)
end
local oldest = 0
for _, id in ipairs(call('ZRANGE', p .. 'queue', 0, 199)) do
  local created = number(W(id), 'created')
  if oldest == 0 or created < oldest then oldest = created end
  if number(W(id), 'attempts') == 0 then break end -- all tasks behind it are younger
end
return {call('ZCARD', p .. 'queue'), call('SCARD', p .. 'running'), oldest, number(p .. 'meta', 'mean'), slots}
