-- Removes a process from those that are alive, and gives back its unused ticket, if any.
accepted()
local inst, entry = ARGV[4], ARGV[5]
call('DEL', p .. 'inst:' .. inst)
call('SREM', p .. 'insts', inst)
if entry ~= '' then
  local id = field(p .. 'bound', 'tickets:' .. entry)
  if id then -- a task was started with it, and the answer was lost
    release(id)
    call('HINCRBY', W(id), 'attempts', -1)
    enqueue(id, field(W(id), 'place'))
    publish(id)
  else
    drop('tickets', entry)
    if call('ZCARD', p .. 'queue') > 0 then ticket() end
  end
end
for _, stream in ipairs({'tickets', 'local'}) do
  if #call('XPENDING', p .. stream, group, '-', '+', 1, inst) == 0 then call('XGROUP', 'DELCONSUMER', p .. stream, group, inst) end
end
return 1
