-- Finds the tasks whose leases have expired: their processes count as dead. Returns of each task ID and epoch, the number of the death, and what
-- is known of earlier ones. Each is then settled.
accepted()
local out = {}
for _, id in ipairs(call('ZRANGEBYSCORE', p .. 'leases', '-inf', clock)) do
  local w = call('HMGET', W(id), 'epoch', 'dcount', 'dstreak', 'dlast', 'inst')
  local gone = p .. 'gone:' .. (w[5] or '')
  w[5] = call('GET', gone)
  if not w[5] then
    w[5] = call('HINCRBY', p .. 'meta', 'deaths', 1)
    call('SET', gone, w[5], 'EX', 3600)
  end
  w[6] = id
  out[#out + 1] = w
end
for _, inst in ipairs(call('SMEMBERS', p .. 'insts')) do
  if call('EXISTS', p .. 'inst:' .. inst) == 0 then
    call('SREM', p .. 'insts', inst)
    call('HDEL', p .. 'claims', inst)
  end
end
return out
