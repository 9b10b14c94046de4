-- Tries every command of the store, with keys that no session uses. An error names the first command that Redis refuses.
local hash, zset = p .. 'try:hash', p .. 'try:zset'
local refused
local function try(...)
  local answer = redis.pcall(...)
  if not refused and type(answer) == 'table' and answer.err then refused = select(1, ...) .. ': ' .. answer.err end
end
-- The first change must be one that needs memory: after another one, a full Redis lets the script continue.
try('HSET', hash, 'a', 1)
try('HGET', hash, 'a')
try('HMGET', hash, 'a')
try('HDEL', hash, 'b')
try('EXISTS', hash)
try('PEXPIRE', hash, 60000)
try('PTTL', hash)
try('ZADD', zset, 1, 'a')
try('ZCARD', zset)
try('ZCOUNT', zset, 1, 1)
try('ZRANGE', zset, 0, 0)
try('ZRANGEBYSCORE', zset, 1, 1)
try('ZREM', zset, 'a')
try('DEL', hash, zset)
if refused then return redis.error_reply(refused) end
return {1}
