-- Accepts a job, or returns the existing one. When it is repeated with the same new IDs, it returns the job that it created.
local kind, key, owner, network, payload = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local job, id = ARGV[10], ARGV[11]                 -- new IDs
local idem, fingerprint = ARGV[12], ARGV[13]       -- idem is empty for no idempotency key
local sharedkey, ownedkey = ARGV[14], ARGV[15]     -- digests; empty for no key, the second also if no equal job is looked for
local ownerkey, turn = ARGV[16], ARGV[17]          -- digests of the owner, and of the network or of the owner without one
local inst = ARGV[18]                              -- empty unless this process runs the task itself
local cost, unlisted = tonumber(ARGV[19]), ARGV[20] == '1'
local maxowned, maxwaiting = tonumber(ARGV[21]), tonumber(ARGV[22]) -- decide.Bounds
local maxbehind, maxcost = tonumber(ARGV[23]), tonumber(ARGV[24])
local asksown = ARGV[25] == '1'                    -- whether the waiting tasks of the owner always matter

-- accept returns a job and its task, whether the job is new, and whether this call has started the task.
local function accept(job, id, created)
  return {'ok', job, created, field(W(id), 'by') == ARGV[10] and 1 or 0, attempt(id)}
end

if call('EXISTS', J(job)) == 1 then return accept(job, field(J(job), 'work'), 1) end -- a repetition, because the answer was lost

local existing -- job
local record = idem ~= ''
if record then
  local known = field(p .. 'idem', idem)
  local j = known and string.sub(known, 33)
  if exists(j) then
    if string.sub(known, 1, 32) ~= fingerprint then return {'mismatch'} end
    existing, record = j, false
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
  local w = field(p .. 'shared', sharedkey)
  if not existing and w and call('EXISTS', W(w)) == 1 then
    if not final(field(W(w), 'status')) or number(W(w), 'until') > now then shared = w end
  end
end

if existing then
  id, job = field(J(existing), 'work'), existing
elseif shared then
  id = shared
  local w = call('HMGET', W(id), 'status', 'turn', 'place')
  if ownedkey == '' and owned > maxowned and not final(w[1]) then return {'toomany', owned} end
  if w[1] == 'queued' and w[2] ~= turn and turnof(turn) < tonumber(w[3]) then -- the turn of this owner is earlier
    charge(id)
    call('HSET', W(id), 'owner', owner, 'network', network, 'turn', turn)
    local place = newplace(id)
    call('HSET', W(id), 'place', place)
    call('ZADD', p .. 'queue', place, id)
  end
else
  if inst == '' then
    local waiting, own, sum = call('ZCARD', p .. 'queue'), 0, 0
    if asksown or waiting > maxbehind then
      for _, task in ipairs(waitingof(turn)) do own, sum = own + 1, sum + task[3] end
    end
    if owned > maxowned or waiting > (own > 0 and maxbehind or maxwaiting) or own > 0 and sum > maxcost then
      return {'refused', owned, waiting, own, sum}
    end
  end
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
  begin(id, inst, ARGV[10])
end

if not existing then
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
return accept(job, id, existing and 0 or 1)
