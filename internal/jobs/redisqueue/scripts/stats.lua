-- Returns the numbers of waiting and running tasks, how long the oldest waiting task has waited, the mean duration of an
-- attempt, the slots, the cost of the waiting tasks, and owner, network, cost and elapsed time of each running one.
local slots = 0
for _, i in ipairs(call('SMEMBERS', p .. 'insts')) do
  slots = slots + tonumber(call('GET', p .. 'inst:' .. i) or 0)
end
local oldest = now
local cost = 0
for _, id in ipairs(call('ZRANGE', p .. 'queue', 0, 999)) do
  local w = call('HMGET', W(id), 'created', 'cost')
  oldest = math.min(oldest, tonumber(w[1]))
  cost = cost + tonumber(w[2] or 0)
end
local running = {}
for _, id in ipairs(call('ZRANGE', p .. 'leases', 0, -1)) do
  local w = call('HMGET', W(id), 'owner', 'network', 'cost', 'started')
  running[#running + 1] = {w[1] or '', w[2] or '', w[3] or 0, now - tonumber(w[4] or now)}
end
return {call('ZCARD', p .. 'queue'), #running, now - oldest, number(p .. 'meta', 'mean'), slots, cost, running}
