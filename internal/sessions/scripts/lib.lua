-- The keys of the sessions, with the prefix p. Owners and groups are digests of 32 characters. A name is the owner, the group and the id of a
-- session, one after the other.
--   p..'s:'..id      hash: value, version, name, holder, once (a digest of owner and key, or empty); expires with the session
--   p..'acted'       sorted set of the names by the last change, in Unix milliseconds; expires with the last session
--   p..'of:'..owner  sorted set of the names by the order in which they end, for one owner; expires with its last session
--   p..'in:'..group  the same for one group
--   p..'first'       sorted set of the places of the groups, all with the score 0: from the first one a session ends first
--   p..'place'       hash: the place of each group
--   p..'k:'..once    hash: id, request; expires with the session
-- The members of the sorted sets may have expired. They are removed when a session is created. The time is that of Redis, because the clocks of
-- the servers differ.
local p, keep = ARGV[1], tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

-- The scores by which sessions end: the time of the last change, and what is added to it: for finished sessions, and for all others.
local over, others = -2^40, 2^42

-- Returns the name and the score of the session that ends first in a set, or nil. Earlier versions added nothing for a session without a change:
-- it is one of the others.
local function ending(set)
  local first = redis.call('ZRANGE', p .. set, 0, 0, 'WITHSCORES')
  local name, score = first[1], tonumber(first[2])
  if not score or score < now + over / 2 or score >= others then return name, score end
  for _, key in ipairs({'of:' .. string.sub(name, 1, 32), 'in:' .. string.sub(name, 33, 64)}) do
    redis.call('ZADD', p .. key, score + others, name)
  end
  return ending(set)
end

-- The place of a group with n sessions of which the first one ends at a score: the largest groups come first, in the order of the text.
local function place(group, n, score) return string.format('%010d%015d', 9999999999 - n, score) .. group end

-- Returns the score of the first session of a group, or nil.
local function first(group) return (select(2, ending('in:' .. group))) end

-- Moves a group to its place after a change of its sessions.
local function move(group)
  local old, score = redis.call('HGET', p .. 'place', group), first(group)
  if old then redis.call('ZREM', p .. 'first', old) end
  if not score then
    redis.call('HDEL', p .. 'place', group)
    return
  end
  local new = place(group, redis.call('ZCARD', p .. 'in:' .. group), score)
  redis.call('HSET', p .. 'place', group, new)
  redis.call('ZADD', p .. 'first', 0, new)
  for _, key in ipairs({'place', 'first'}) do redis.call('PEXPIRE', p .. key, keep) end
end

-- Removes a session, which may have expired. Returns how many there were.
local function drop(name)
  local owner, group, id = string.sub(name, 1, 32), string.sub(name, 33, 64), string.sub(name, 65)
  local once = redis.call('HGET', p .. 's:' .. id, 'once')
  if once and once ~= '' then redis.call('DEL', p .. 'k:' .. once) end
  for _, key in ipairs({'acted', 'of:' .. owner, 'in:' .. group}) do redis.call('ZREM', p .. key, name) end
  move(group)
  return redis.call('DEL', p .. 's:' .. id)
end

-- Keeps the present value of a session, and prolongs it.
local function put(name, version, value, holder, once, finished)
  local owner, group, id = string.sub(name, 1, 32), string.sub(name, 33, 64), string.sub(name, 65)
  redis.call('HSET', p .. 's:' .. id, 'value', value, 'version', version, 'name', name, 'holder', holder, 'once', once)
  local ends = now + (finished == '1' and over or others)
  redis.call('ZADD', p .. 'acted', now, name)
  redis.call('ZADD', p .. 'of:' .. owner, ends, name)
  redis.call('ZADD', p .. 'in:' .. group, ends, name)
  for _, key in ipairs({'s:' .. id, 'acted', 'of:' .. owner, 'in:' .. group}) do redis.call('PEXPIRE', p .. key, keep) end
  if once ~= '' then redis.call('PEXPIRE', p .. 'k:' .. once, keep) end
  move(group)
end

