-- Handles the leases that were not renewed for the time in ARGV[5], in milliseconds: their processes count as dead. Returns
-- the tasks that are queued again and the tasks that fail.
accepted()
local inst, idle = ARGV[4], ARGV[5]
local streakmax, countmax = tonumber(ARGV[6]), tonumber(ARGV[7])
local again, failed = {}, {}

local function died(id)
  local holder = field(W(id), 'inst') or ''
  local death = tonumber(call('GET', p .. 'gone:' .. holder) or 0)
  if death == 0 then
    death = call('HINCRBY', p .. 'meta', 'deaths', 1)
    call('SET', p .. 'gone:' .. holder, death, 'EX', 3600)
  end
  local last, streak = number(W(id), 'dlast'), number(W(id), 'dstreak')
  streak = last > 0 and last + 1 == death and streak + 1 or 1
  local count = call('HINCRBY', W(id), 'dcount', 1)
  call('HSET', W(id), 'dlast', death, 'dstreak', streak)
  if streak >= streakmax or count >= countmax then
    call('HSET', W(id), 'failure', 'died')
    finish(id, 'failed')
    failed[#failed + 1] = id
  else
    charge(id)
    release(id)
    enqueue(id, newplace(id))
    publish(id)
    again[#again + 1] = id
  end
end

for _, stream in ipairs({'tickets', 'local'}) do
  local from = '0-0'
  repeat
    local r = call('XAUTOCLAIM', p .. stream, group, inst, idle, from, 'COUNT', 100, 'JUSTID')
    from = r[1]
    for _, entry in ipairs(r[2]) do
      local id = field(p .. 'bound', stream .. ':' .. entry)
      if id and field(W(id), 'status') == 'running' and field(W(id), 'entry') == entry then
        died(id)
      else
        drop(stream, entry)
        if stream == 'tickets' and call('ZCARD', p .. 'queue') > 0 then ticket() end
      end
    end
  until from == '0-0'
end
-- Removes the consumers of dead processes that hold no entry.
for _, stream in ipairs({'tickets', 'local'}) do
  for _, c in ipairs(call('XINFO', 'CONSUMERS', p .. stream, group)) do
    local name, pending
    for i = 1, #c, 2 do
      if c[i] == 'name' then name = c[i + 1] elseif c[i] == 'pending' then pending = c[i + 1] end
    end
    if pending == 0 and call('EXISTS', p .. 'inst:' .. name) == 0 then
      call('XGROUP', 'DELCONSUMER', p .. stream, group, name)
    end
  end
end
for _, i in ipairs(call('SMEMBERS', p .. 'insts')) do
  if call('EXISTS', p .. 'inst:' .. i) == 0 then call('SREM', p .. 'insts', i) end
end
-- Adds missing tickets: without one, a task would wait for ever. A superfluous one does no harm.
local unread = call('XLEN', p .. 'tickets') - call('XPENDING', p .. 'tickets', group)[1]
for _ = 1, call('ZCARD', p .. 'queue') - unread do ticket() end
return {again, failed}
