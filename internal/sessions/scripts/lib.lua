-- The keys of the sessions, with the prefix p:
--   p..'s:'..id      hash: value, version, owner (a digest), once (a digest of owner and key, or empty); expires with the session
--   p..'acted'       sorted set of the ids by their last change, in Unix milliseconds; expires with the last session
--   p..'of:'..owner  the same for one owner; expires with its last session
--   p..'k:'..once    hash: id, request; expires with the session
-- The members of the sorted sets may have expired. They are removed when a session is created.
local p, now, keep = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local function drop(id)
  local is = redis.call('HMGET', p .. 's:' .. id, 'owner', 'once')
  redis.call('ZREM', p .. 'acted', id)
  if is[1] then redis.call('ZREM', p .. 'of:' .. is[1], id) end
  if is[2] and is[2] ~= '' then redis.call('DEL', p .. 'k:' .. is[2]) end
  return redis.call('DEL', p .. 's:' .. id)
end

local function put(id, owner, version, value, once)
  redis.call('HSET', p .. 's:' .. id, 'value', value, 'version', version, 'owner', owner, 'once', once)
  redis.call('PEXPIRE', p .. 's:' .. id, keep)
  redis.call('ZADD', p .. 'acted', now, id)
  redis.call('PEXPIRE', p .. 'acted', keep)
  redis.call('ZADD', p .. 'of:' .. owner, now, id)
  redis.call('PEXPIRE', p .. 'of:' .. owner, keep)
  if once ~= '' then redis.call('PEXPIRE', p .. 'k:' .. once, keep) end
end

