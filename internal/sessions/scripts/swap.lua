-- Changes a session that has the expected version. Returns 1 and its holder, 0 if there is none, or -1 if it has another version.
local id, expected, value, finished = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local is = redis.call('HMGET', p .. 's:' .. id, 'version', 'name', 'holder', 'once')
if not is[1] then return {0} end
if is[1] ~= expected then return {-1} end
redis.call('DEL', p .. 'none') -- a session goes on in a full Redis too, which refuses the first change of a script only
put(is[2], tonumber(expected) + 1, value, is[3], is[4], finished)
return {1, is[3]}
