-- What all scripts begin with. A script is atomic: it is the only place where jobs are changed, so that a process that
-- dies between two commands leaves nothing half done.
--
-- KEYS[1]  <p>meta, where p, in braces, keeps all keys in one slot of a cluster
-- ARGV[1]  p
-- ARGV[2]  the time in microseconds since 1970
-- ARGV[3]  how long a job is kept after it became final, in microseconds
--
-- <p>meta           hash: schema (the version of all that is described here), place and number (the last given), deaths, mean and runs, bytes (of the payloads of jobs that are
--                   final, and of results)
-- <p>w:ID           hash: work, worked once for all its jobs
-- <p>j:ID           hash: a job, one owner's view of work
-- <p>views:ID       set: the jobs of work
-- <p>queue          sorted set: work that waits, by place
-- <p>running        set: work that is under way
-- <p>shared         hash: digest of kind and key -> work that is unfinished or succeeded
-- <p>owned          hash: digest of owner, kind and key -> the owner's job of that
-- <p>idem           hash: digest of owner and idempotency key -> fingerprint and job
-- <p>owner:DIGEST   sorted set: an owner's jobs, by number
-- <p>live:DIGEST    set: an owner's jobs that are not final
-- <p>expiry         sorted set: jobs that are final, by the time when they are forgotten
-- <p>tickets        stream: an entry for each work that waits; whoever is given one may begin the oldest work, and holds
--                   the entry, pending, as its lease for as long as the work runs
-- <p>local          stream: the same for work that was begun where it was submitted; nobody reads it
-- <p>bound          hash: stream:entry -> the work that it is the lease of
-- <p>inst:ID        string that expires: the slots of a process that lives;  <p>insts  set: all that may live
-- <p>gone:ID        string that expires: the number of the death of a process
local p, now, retention = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local call = redis.call
local group = 'workers'

-- Data of another schema is neither read nor changed. The variable schema is set before this by scripts.go.
do
  local found = call('HGET', p .. 'meta', 'schema')
  if not found and call('EXISTS', p .. 'meta') == 0 then
    call('HSET', p .. 'meta', 'schema', schema)
  elseif found ~= schema then
    return redis.error_reply('WRONGSCHEMA ' .. (found or ''))
  end
end

local function W(id) return p .. 'w:' .. id end
local function J(id) return p .. 'j:' .. id end
local function field(key, name) return call('HGET', key, name) end
local function number(key, name) return tonumber(call('HGET', key, name) or 0) end

local function tell(id) call('PUBLISH', p .. 'events', id) end

local function ticket() call('XADD', p .. 'tickets', '*', 't', '1') end

local function drop(stream, entry)
  call('XACK', p .. stream, group, entry)
  call('XDEL', p .. stream, entry)
  call('HDEL', p .. 'bound', stream .. ':' .. entry)
end

local function wait(id, place)
  call('HSET', W(id), 'status', 'queued', 'place', place)
  call('ZADD', p .. 'queue', place, id)
  ticket()
end

local function newplace() return call('HINCRBY', p .. 'meta', 'place', 1) end

local function begin(id, inst, stream, entry)
  call('ZREM', p .. 'queue', id)
  call('HSET', W(id), 'status', 'running', 'started', now, 'inst', inst, 'stream', stream, 'entry', entry)
  call('HINCRBY', W(id), 'epoch', 1)
  call('HINCRBY', W(id), 'attempts', 1)
  call('HDEL', W(id), 'progress')
  call('SADD', p .. 'running', id)
  call('HSET', p .. 'bound', stream .. ':' .. entry, id)
  tell(id)
end

-- release ends the lease of work that is under way.
local function release(id)
  local entry = field(W(id), 'entry')
  if entry then
    drop(field(W(id), 'stream'), entry)
    call('HDEL', W(id), 'entry', 'stream', 'inst')
  end
  call('SREM', p .. 'running', id)
end

-- keep counts bytes that are kept from now on, or of a negative number no more.
local function keep(bytes) call('HINCRBY', p .. 'meta', 'bytes', bytes) end

-- expire says when a job that is final is forgotten.
local function expire(job, id)
  local at = now + retention
  call('HSET', J(job), 'expires', at)
  call('ZADD', p .. 'expiry', at, job)
  call('SREM', p .. 'live:' .. field(J(job), 'ownerkey'), job)
  keep(call('HSTRLEN', J(job), 'payload'))
  if number(W(id), 'until') < at then call('HSET', W(id), 'until', at) end
end

local function final(status) return status ~= 'queued' and status ~= 'running' end

local function unshare(id)
  local digest = field(W(id), 'shared')
  if digest and field(p .. 'shared', digest) == id then call('HDEL', p .. 'shared', digest) end
end

-- finish makes work final and lets its jobs expire.
local function finish(id, status)
  release(id)
  call('ZREM', p .. 'queue', id)
  call('HSET', W(id), 'status', status, 'finished', now)
  call('HDEL', W(id), 'payload')
  if status ~= 'succeeded' then unshare(id) end
  for _, job in ipairs(call('SMEMBERS', p .. 'views:' .. id)) do
    if not field(J(job), 'cancelled') then expire(job, id) end
  end
  tell(id)
end

local function alive(job)
  if not job or call('EXISTS', J(job)) == 0 then return false end
  local at = field(J(job), 'expires')
  return not at or tonumber(at) > now
end

-- The answer of get and list: what a job is made of, in this order. Bytes are left out of lists.
local function describe(job, full)
  local id = field(J(job), 'work')
  local out = call('HMGET', J(job), 'owner', 'number', 'created', 'cancelled')
  local w = call('HMGET', W(id), 'kind', 'key', 'status', 'attempts', 'started', 'finished', 'failure', 'error')
  for i = 1, 8 do out[#out + 1] = w[i] end
  local rank = false
  if w[3] == 'queued' then rank = call('ZRANK', p .. 'queue', id) end
  out[#out + 1] = rank and rank + 1 or 0
  out[#out + 1] = job
  out[#out + 1] = id
  if full then
    out[#out + 1] = field(J(job), 'payload')
    out[#out + 1] = field(W(id), 'progress')
    out[#out + 1] = field(W(id), 'result')
  end
  return out
end
