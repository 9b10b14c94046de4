-- Tries every command that the scripts use, with keys that no job uses. An error names the first command that Redis refuses.
local hash, set, zset, text = p .. 'try:hash', p .. 'try:set', p .. 'try:zset', p .. 'try:text'
local refused
local function try(...)
  local answer = redis.pcall(...)
  if not refused and type(answer) == 'table' and answer.err then refused = select(1, ...) .. ': ' .. answer.err end
  return answer
end
-- The first change must be one that needs memory: after another one, a full Redis lets the script continue.
try('HSET', hash, 'a', 1)
try('HGET', hash, 'a')
try('HMGET', hash, 'a')
try('HINCRBY', hash, 'a', 1)
try('HSTRLEN', hash, 'a')
try('HDEL', hash, 'a')
try('EXISTS', hash)
try('SADD', set, 'a')
try('SCARD', set)
try('SMEMBERS', set)
try('SREM', set, 'a')
try('ZADD', zset, 1, 'a')
try('ZCARD', zset)
try('ZRANGE', zset, 0, 0)
try('ZRANK', zset, 'a')
try('ZSCORE', zset, 'a')
try('ZREVRANGEBYSCORE', zset, 1, 1)
try('ZRANGEBYSCORE', zset, 1, 1)
try('ZREM', zset, 'a')
try('SET', text, 'a', 'PX', 60000)
try('GET', text)
try('STRLEN', text)
try('GETRANGE', text, 0, 0)
try('PUBLISH', p .. 'events', '')
try('DEL', hash, set, zset, text)
if refused then return redis.error_reply(refused) end
return 1
