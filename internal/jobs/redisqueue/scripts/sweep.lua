-- Removes up to 100 final jobs, oldest first: those that have expired, and while there are more than ARGV[5] or they take
-- more than ARGV[6] bytes. A task is removed with its last job. Returns the number of removed jobs.
accepted()
local most, mostbytes = tonumber(ARGV[5]), tonumber(ARGV[6])
local forgotten = 0
while forgotten < 100 do
  local oldest = call('ZRANGE', p .. 'expiry', 0, 0, 'WITHSCORES')
  local job, at = oldest[1], tonumber(oldest[2])
  if not job then break end
  if at > now and call('ZCARD', p .. 'expiry') <= most and number(p .. 'meta', 'bytes') <= mostbytes then break end
  local j = call('HMGET', J(job), 'work', 'owned', 'ownerkey', 'idem')
  local id = j[1]
  if id then
    addbytes(0 - call('HSTRLEN', J(job), 'payload')) -- a plain minus would give -0, which Redis does not accept
    if j[2] ~= '' and field(p .. 'owned', j[2]) == job then call('HDEL', p .. 'owned', j[2]) end
    call('ZREM', p .. 'owner:' .. j[3], job)
    for idem in string.gmatch(j[4] or '', '%S+') do
      local known = field(p .. 'idem', idem)
      if known and string.sub(known, 33) == job then call('HDEL', p .. 'idem', idem) end
    end
    call('SREM', p .. 'views:' .. id, job)
    if call('SCARD', p .. 'views:' .. id) == 0 then
      unshare(id)
      addbytes(0 - call('STRLEN', R(id))) -- a plain minus would give -0, which Redis does not accept
      call('DEL', W(id), R(id))
    end
    call('DEL', J(job))
  end
  call('ZREM', p .. 'expiry', job)
  forgotten = forgotten + 1
end
return forgotten
