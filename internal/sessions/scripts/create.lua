-- Keeps a session, and ends those that are too many.
local id, owner, value, max, each = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
put(id, owner, 1, value)
redis.call('ZREMRANGEBYSCORE', p .. 'acted', '-inf', now - keep)
redis.call('ZREMRANGEBYSCORE', p .. 'of:' .. owner, '-inf', now - keep)
local function limit(key, most)
  local over = redis.call('ZCARD', key) - most
  if most <= 0 or over <= 0 then return end
  for _, old in ipairs(redis.call('ZRANGE', key, 0, over - 1)) do
    drop(old)
    redis.call('ZREM', key, old) -- of a session that has expired
  end
end
limit(p .. 'of:' .. owner, each)
limit(p .. 'acted', max)
return 1
