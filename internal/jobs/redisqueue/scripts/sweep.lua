-- Forgets jobs that have expired or are more than ARGV[4], and work with its last job. Returns how many.
local most = tonumber(ARGV[4])
local due = call('ZRANGEBYSCORE', p .. 'expiry', '-inf', now, 'LIMIT', 0, 100)
local excess = math.min(call('ZCARD', p .. 'expiry') - most, 100)
if excess > #due then due = call('ZRANGE', p .. 'expiry', 0, excess - 1) end
for _, job in ipairs(due) do
  local j = call('HMGET', J(job), 'work', 'owned', 'ownerkey', 'idem')
  local id = j[1]
  if id then
    if j[2] ~= '' and field(p .. 'owned', j[2]) == job then call('HDEL', p .. 'owned', j[2]) end
    call('ZREM', p .. 'owner:' .. j[3], job)
    for idem in string.gmatch(j[4] or '', '%S+') do
      local known = field(p .. 'idem', idem)
      if known and string.sub(known, 33) == job then call('HDEL', p .. 'idem', idem) end
    end
    call('SREM', p .. 'views:' .. id, job)
    if call('SCARD', p .. 'views:' .. id) == 0 then
      unshare(id)
      call('DEL', W(id))
    end
    call('DEL', J(job))
  end
  call('ZREM', p .. 'expiry', job)
end
return #due
