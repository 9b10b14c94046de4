-- Accepts a job, or returns the existing one. When it is repeated with the same new IDs, it returns the job that it created.
local kind, key, owner, payload = ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local job, id = ARGV[8], ARGV[9]                            -- new IDs
local idem, fingerprint = ARGV[10], ARGV[11]                -- idem is empty for no idempotency key
local sharedkey, ownedkey, ownerkey = ARGV[12], ARGV[13], ARGV[14] -- digests; the first is empty for no key, the second also if no equal job is looked for
local maxqueued, inst = tonumber(ARGV[15]), ARGV[16]        -- inst is empty unless this process runs the task itself
local maxowned = tonumber(ARGV[17])                         -- 0 for no limit
local nonew = ARGV[18] == '1'                               -- whether a new task is refused
local cost, maxcost = tonumber(ARGV[19]), tonumber(ARGV[20]) -- maxcost is 0 for no limit
local unlisted = ARGV[21] == '1'                            -- whether the job is in no list
local network, turn = ARGV[22], ARGV[23]                    -- turn is the digest of the network, or of the owner without one
local reserved = tonumber(ARGV[24])                         -- how many of maxqueued are for owners of whom no task waits

local created, begun = 0, 0
local existing -- job

if call('EXISTS', J(job)) == 1 then -- a repetition, because the answer was lost
  local w = field(J(job), 'work')
  if inst ~= '' and field(W(w), 'inst') == inst and field(W(w), 'stream') == 'local' then begun = 1 end
  local t = call('HMGET', W(w), 'attempts', 'epoch', 'entry', 'failures', 'payload')
  return {'ok', job, w, 1, begun, t[1], t[2], t[3], t[4], t[5], 0, field(W(w), 'owner'), field(W(w), 'network') or '', field(W(w), 'state') or ''}
end

local record = idem ~= ''
if idem ~= '' then
  local known = field(p .. 'idem', idem)
  if known then
    local j = string.sub(known, 33)
    if exists(j) then
      if string.sub(known, 1, 32) ~= fingerprint then return {'mismatch'} end
      existing, record = j, false
    end
  end
end

local owned = math.max(call('SCARD', p .. 'live:' .. ownerkey), call('SCARD', p .. 'live:' .. turn))
local shared
if not existing and sharedkey ~= '' then
  local j = ownedkey ~= '' and field(p .. 'owned', ownedkey)
  if exists(j) and not field(J(j), 'cancelled') then
    local status = field(W(field(J(j), 'work')), 'status')
    if status == 'succeeded' or not final(status) then existing = j end
  end
  if not existing then
    local w = field(p .. 'shared', sharedkey)
    if w and call('EXISTS', W(w)) == 1 then
      if not final(field(W(w), 'status')) or number(W(w), 'until') > now then shared = w end
    end
  end
end

if existing then
  id, job = field(J(existing), 'work'), existing
elseif shared then
  id = shared
  local w = call('HMGET', W(id), 'status', 'turn', 'place')
  if ownedkey == '' and maxowned > 0 and owned >= maxowned and not final(w[1]) then return {'toomany', owned} end
  if w[1] == 'queued' and w[2] and w[2] ~= turn and turnof(turn) < tonumber(w[3]) then -- the turn of this owner is earlier
    charge(id)
    call('HSET', W(id), 'owner', owner, 'network', network, 'turn', turn)
    local place = newplace(id)
    call('HSET', W(id), 'place', place)
    call('ZADD', p .. 'queue', place, id)
  end
else
  if inst == '' and nonew then return {'new'} end
  if inst == '' and maxowned > 0 and owned >= maxowned then return {'toomany', owned} end
  local waiting = call('ZCARD', p .. 'queue')
  local isreserved = waiting >= maxqueued - reserved
  if inst == '' and (maxcost > 0 or isreserved) then
    local tasks, sum = waitingof(turn), 0
    isreserved = isreserved and #tasks > 0
    for _, task in ipairs(tasks) do sum = sum + task[3] end
    if maxcost > 0 and sum > 0 and sum + cost > maxcost then return {'toocostly', sum} end
  end
  if inst == '' and (isreserved or waiting >= maxqueued) then return {'full', waiting, waiting < maxqueued and 1 or 0} end
  call('HSET', W(id), 'kind', kind, 'key', key, 'status', 'queued', 'owner', owner, 'created', now, 'payload', payload, 'shared', sharedkey,
    'turn', turn, 'network', network, 'cost', cost)
  if sharedkey ~= '' then call('HSET', p .. 'shared', sharedkey, id) end
  local place = newplace(id)
  if inst == '' then
    enqueue(id, place)
  else
    call('HSET', W(id), 'place', place)
  end
end

if inst ~= '' and field(W(id), 'status') == 'queued' then
  local entry = call('XADD', p .. 'local', '*', 't', '1')
  call('XCLAIM', p .. 'local', group, inst, 0, entry, 'FORCE', 'JUSTID')
  begin(id, inst, 'local', entry)
  begun = 1
end

if not existing then
  created = 1
  local n = call('HINCRBY', p .. 'meta', 'number', 1)
  call('HSET', J(job), 'work', id, 'owner', owner, 'number', n, 'created', now, 'payload', payload, 'owned', ownedkey, 'ownerkey', ownerkey,
    'turn', turn, 'network', network)
  call('HINCRBY', W(id), 'live', 1)
  call('SADD', p .. 'views:' .. id, job)
  if not unlisted then call('ZADD', p .. 'owner:' .. ownerkey, n, job) end
  if ownedkey ~= '' then call('HSET', p .. 'owned', ownedkey, job) end
  if final(field(W(id), 'status')) then
    expire(job, id)
  else
    call('SADD', p .. 'live:' .. ownerkey, job)
    call('SADD', p .. 'live:' .. turn, job)
  end
end
if record then
  call('HSET', p .. 'idem', idem, fingerprint .. job)
  local known = field(J(job), 'idem')
  call('HSET', J(job), 'idem', known and known .. ' ' .. idem or idem)
end

local t = call('HMGET', W(id), 'attempts', 'epoch', 'entry', 'failures', 'payload')
return {'ok', job, id, created, begun, t[1], t[2], t[3], t[4], t[5], number(W(id), 'dcount'), field(W(id), 'owner'), field(W(id), 'network') or '', field(W(id), 'state') or ''}
