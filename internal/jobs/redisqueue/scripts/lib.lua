-- The common beginning of all scripts. Only scripts change jobs. A script is atomic, so a process that dies leaves no change
-- half done.
--
-- KEYS[1]  <p>meta, where p, in braces, keeps all keys in one slot of a cluster
-- ARGV[1]  p
-- ARGV[2]  the time in microseconds since 1970; empty for that of Redis, which is the same for all processes. Only tests give one
-- ARGV[3]  how long a final job is kept, in microseconds
-- ARGV[4]  how long a lease is, in microseconds. Leases are always by the clock of Redis
--
-- <p>meta           hash: schema (the version of these keys), turn (the place of the last started task), number (the last used), deaths
--                   (of processes), mean
--                   and runs (the mean duration of the last successful attempts, and how many these are), bytes (of the
--                   payloads of final jobs and of results)
-- <p>w:ID           hash: a task. Of a running one, inst is the process and by the call that started it
-- <p>r:ID           string: the result of a task
-- <p>j:ID           hash: a job
-- <p>views:ID       set: the jobs of a task
-- <p>queue          sorted set: waiting tasks, by place, which is a time in microseconds. The tasks of an owner wait at intervals of their
--                   costs; docs/project/jobs-inside.md explains it
-- <p>finish         sorted set: owners or networks (digests), by the place of their next task
-- <p>leases         sorted set: running tasks, by the time when their leases expire
-- <p>shared         hash: digest of kind and key -> task that is unfinished or succeeded
-- <p>owned          hash: digest of owner, kind and key -> the owner's last job of that kind and key that equal requests get
-- <p>idem           hash: digest of owner and idempotency key -> fingerprint and job
-- <p>owner:DIGEST   sorted set: an owner's jobs, by number
-- <p>live:DIGEST    set: the unfinished jobs of an owner or network
-- <p>expiry         sorted set: final jobs, by the time of their removal
-- <p>inst:ID        string that expires: the slots of a live process;  <p>insts  set: the processes that may be alive
-- <p>claims         hash: process -> the task that it claimed last
-- <p>gone:ID        string that expires: the number of the death of a process
local call = redis.call
local clock = call('TIME')
clock = clock[1] * 1000000 + clock[2]
local p, now, retention, lease = ARGV[1], tonumber(ARGV[2]) or clock, tonumber(ARGV[3]), tonumber(ARGV[4])

-- Data of another schema is neither read nor changed. scripts.go sets the variable schema before this text.
do
  local found = call('HGET', p .. 'meta', 'schema')
  if not found and call('EXISTS', p .. 'meta') == 0 then
    call('HSET', p .. 'meta', 'schema', schema)
  elseif found ~= schema then
    return redis.error_reply('WRONGSCHEMA ' .. (found or ''))
  end
end

local function W(id) return p .. 'w:' .. id end
local function R(id) return p .. 'r:' .. id end
local function J(id) return p .. 'j:' .. id end
local function field(key, name) return call('HGET', key, name) end
local function number(key, name) return tonumber(call('HGET', key, name) or 0) end

-- accepted begins a script that changes what is accepted already, which it may do in a full Redis too: Redis refuses the first change of a script
-- only, and not if that frees memory.
local function accepted() call('DEL', p .. 'none') end

local function publish(id) call('PUBLISH', p .. 'events', id) end

-- The waiting tasks of an owner or network: id, place and cost of each.
local function waitingof(owner)
  local out, seen = {}, {}
  for _, job in ipairs(call('SMEMBERS', p .. 'live:' .. owner)) do
    local id = field(J(job), 'work')
    if not seen[id] then
      seen[id] = true
      local w = call('HMGET', W(id), 'status', 'turn', 'place', 'cost')
      if w[1] == 'queued' and w[2] == owner then out[#out + 1] = {id, tonumber(w[3]), tonumber(w[4])} end
    end
  end
  return out
end

-- turnof returns where the next task of an owner is to wait: behind those of the owner, but not before the last started task, so that no time
-- is saved up. It adds a microsecond, so that of equal owners the first comes first.
local function turnof(owner)
  return math.max(call('HINCRBY', p .. 'meta', 'turn', 1), tonumber(call('ZSCORE', p .. 'finish', owner) or 0))
end

-- newplace takes a turn for a task.
local function newplace(id)
  local w = call('HMGET', W(id), 'turn', 'cost')
  local place = turnof(w[1])
  call('ZADD', p .. 'finish', place + tonumber(w[2]), w[1])
  return place
end

-- shift moves the waiting tasks of an owner behind a place, and the owner's next turn, by a time. None comes before the last started task.
local function shift(owner, by, behind)
  local later, first = {}, nil
  for _, task in ipairs(waitingof(owner)) do
    if task[2] > behind then
      later[#later + 1] = task
      first = math.min(first or task[2], task[2])
    end
  end
  if first then by = math.max(by, math.min(0, number(p .. 'meta', 'turn') - first)) end
  for _, task in ipairs(later) do
    call('HSET', W(task[1]), 'place', task[2] + by)
    call('ZADD', p .. 'queue', task[2] + by, task[1])
  end
  local finish = call('ZSCORE', p .. 'finish', owner)
  if finish then call('ZADD', p .. 'finish', tonumber(finish) + by, owner) end
end

-- charge replaces the cost of a task in its owner's turns by the time that its attempt took, or by nothing if it waits.
local function charge(id)
  local w = call('HMGET', W(id), 'turn', 'cost', 'status', 'started', 'place')
  if w[3] == 'running' then
    shift(w[1], math.max(0, now - tonumber(w[4])) - tonumber(w[2]), -1)
  else
    shift(w[1], 0 - tonumber(w[2]), tonumber(w[5]))
  end
end

local function enqueue(id, place)
  call('HSET', W(id), 'status', 'queued', 'place', place)
  call('ZADD', p .. 'queue', place, id)
  call('PUBLISH', p .. 'waits', '')
end

local function begin(id, inst, by)
  call('ZREM', p .. 'queue', id)
  call('HSET', W(id), 'status', 'running', 'started', now, 'inst', inst, 'by', by)
  call('HINCRBY', W(id), 'epoch', 1)
  call('HINCRBY', W(id), 'attempts', 1)
  call('HDEL', W(id), 'progress')
  call('ZADD', p .. 'leases', clock + lease, id)
  publish(id)
end

-- release ends the lease of a running task.
local function release(id)
  call('HDEL', W(id), 'inst', 'by')
  call('ZREM', p .. 'leases', id)
end

-- requeue queues a running task again: at its place, or behind the others of its owner.
local function requeue(id, inplace)
  release(id)
  call('HDEL', W(id), 'progress')
  enqueue(id, inplace and field(W(id), 'place') or newplace(id))
  publish(id)
end

local function held(id, epoch)
  local w = call('HMGET', W(id), 'status', 'epoch')
  return w[1] == 'running' and w[2] == epoch
end

-- attempt returns what a process needs to run a task, in the order that answer.run in call.go reads.
local function attempt(id)
  local out = call('HMGET', W(id), 'kind', 'key', 'owner', 'network', 'payload', 'state', 'attempts', 'failures', 'dcount', 'epoch')
  out[11] = id
  return out
end

-- addbytes adds to the number of bytes that final jobs take. The number may be negative.
local function addbytes(bytes) call('HINCRBY', p .. 'meta', 'bytes', bytes) end

-- expire sets when a final job is removed.
local function expire(job, id)
  local at = now + retention
  call('HSET', J(job), 'expires', at)
  call('ZADD', p .. 'expiry', at, job)
  for _, key in ipairs({'ownerkey', 'turn'}) do
    local name = field(J(job), key)
    if name then call('SREM', p .. 'live:' .. name, job) end
  end
  addbytes(call('HSTRLEN', J(job), 'payload'))
  if number(W(id), 'until') < at then call('HSET', W(id), 'until', at) end
end

local function final(status) return status ~= 'queued' and status ~= 'running' end

local function unshare(id)
  local digest = field(W(id), 'shared')
  if digest and field(p .. 'shared', digest) == id then call('HDEL', p .. 'shared', digest) end
end

-- finish makes a task final and sets when its jobs expire.
local function finish(id, status)
  release(id)
  call('ZREM', p .. 'queue', id)
  call('HSET', W(id), 'status', status, 'finished', now)
  call('HDEL', W(id), 'payload', 'state')
  if status ~= 'succeeded' then unshare(id) end
  for _, job in ipairs(call('SMEMBERS', p .. 'views:' .. id)) do
    if not field(J(job), 'cancelled') then expire(job, id) end
  end
  if call('ZCARD', p .. 'queue') == 0 and call('ZCARD', p .. 'leases') == 0 then call('DEL', p .. 'finish') end
  publish(id)
end

local function exists(job)
  if not job or call('EXISTS', J(job)) == 0 then return false end
  local at = field(J(job), 'expires')
  return not at or tonumber(at) > now
end

-- describe returns the fields of a job in the order that answer.job in call.go reads. Lists hold no progress and no size of the result.
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
    out[#out + 1] = field(W(id), 'progress')
    out[#out + 1] = call('STRLEN', R(id))
  end
  return out
end
