-- Keeps a session, and ends those that are too many. Returns 1, and how many ended beyond the limit of the owner and of all; 0 if the owner has a
-- session of the same key, or -1 if that was created by another request.
local id, owner, group, value, max, each = ARGV[3], ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8])
local holder, once, request, finished = ARGV[9], ARGV[10], ARGV[11], ARGV[12]
if once ~= '' then
  local old = redis.call('HMGET', p .. 'k:' .. once, 'id', 'request')
  if old[1] and redis.call('EXISTS', p .. 's:' .. old[1]) == 1 then return {old[2] == request and 0 or -1} end
end
local same = redis.call('HGET', p .. 's:' .. id, 'name')
if same then drop(same) end
for _, name in ipairs(redis.call('ZRANGEBYSCORE', p .. 'acted', '-inf', now - keep)) do drop(name) end

local own, all = 0, 0
while redis.call('ZCARD', p .. 'of:' .. owner) >= each do
  own = own + drop((ending('of:' .. owner)))
end
while redis.call('ZCARD', p .. 'acted') >= max do
  local largest, score = redis.call('ZRANGE', p .. 'first', 0, 0)[1], first(group)
  local from = string.sub(largest, 26)
  if score and place(group, redis.call('ZCARD', p .. 'in:' .. group) + 1, score) < largest then from = group end
  all = all + drop((ending('in:' .. from)))
end
if once ~= '' then redis.call('HSET', p .. 'k:' .. once, 'id', id, 'request', request) end
put(owner .. group .. id, 1, value, holder, once, finished)
return {1, own, all}
