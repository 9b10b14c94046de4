-- The keys of the sessions, with the prefix p:
--   p..'s:'..id      hash: value, version, owner (a digest); expires with the session
--   p..'acted'       sorted set of the ids by their last change, in Unix milliseconds; expires with the last session
--   p..'of:'..owner  the same for one owner; expires with its last session
-- The members of the sorted sets may have expired. They are removed when a session is created.
local p, now, keep = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local function drop(id)
  local owner = redis.call('HGET', p .. 's:' .. id, 'owner')
  redis.call('ZREM', p .. 'acted', id)
  if owner then redis.call('ZREM', p .. 'of:' .. owner, id) end
  return redis.call('DEL', p .. 's:' .. id)
end

local function put(id, owner, version, value)
  redis.call('HSET', p .. 's:' .. id, 'value', value, 'version', version, 'owner', owner)
  redis.call('PEXPIRE', p .. 's:' .. id, keep)
  redis.call('ZADD', p .. 'acted', now, id)
  redis.call('PEXPIRE', p .. 'acted', keep)
  redis.call('ZADD', p .. 'of:' .. owner, now, id)
  redis.call('PEXPIRE', p .. 'of:' .. owner, keep)
end

