-- Claims the leases that were not renewed for the time in ARGV[5], in milliseconds: their processes count as dead. Returns of each of their
-- tasks ID and epoch, the number of the death, and what is known of earlier ones. Each is then settled; if that fails, its lease expires again.
accepted()
local inst, idle = ARGV[4], ARGV[5]
local out = {}

local function died(id)
  local w = call('HMGET', W(id), 'epoch', 'dcount', 'dstreak', 'dlast', 'inst')
  local gone = p .. 'gone:' .. (w[5] or '')
  w[5] = call('GET', gone)
  if not w[5] then
    w[5] = call('HINCRBY', p .. 'meta', 'deaths', 1)
    call('SET', gone, w[5], 'EX', 3600)
  end
  w[6] = id
  out[#out + 1] = w
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
        discard(stream, entry)
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
return out
