-- Ends a session. Returns 0 if there is none.
local name = redis.call('HGET', p .. 's:' .. ARGV[3], 'name')
return {name and drop(name) or 0}
