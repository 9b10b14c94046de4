-- Keeps a session, and ends those that are too many. Returns 1 + the number of these; 0 if the owner has a session of the same key, or -1 if
-- that was created by another request.
local id, owner, value, max, each, once, request = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8]), ARGV[9], ARGV[10]
if once ~= '' then
  local old = redis.call('HMGET', p .. 'k:' .. once, 'id', 'request')
  if old[1] and redis.call('EXISTS', p .. 's:' .. old[1]) == 1 then return old[2] == request and 0 or -1 end
  redis.call('HSET', p .. 'k:' .. once, 'id', id, 'request', request)
end
put(id, owner, 1, value, once)
redis.call('ZREMRANGEBYSCORE', p .. 'acted', '-inf', now - keep)
redis.call('ZREMRANGEBYSCORE', p .. 'of:' .. owner, '-inf', now - keep)
local ended = 0
local function limit(key, most)
  local over = redis.call('ZCARD', key) - most
  if most <= 0 or over <= 0 then return end
  for _, old in ipairs(redis.call('ZRANGE', key, 0, over - 1)) do
    ended = ended + drop(old)
    redis.call('ZREM', key, old) -- of a session that has expired
  end
end
limit(p .. 'of:' .. owner, each)
limit(p .. 'acted', max)
return 1 + ended
