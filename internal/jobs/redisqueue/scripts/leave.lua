-- Removes a process from those that are alive, and gives back its unused ticket, if any.
accepted()
local inst, entry = ARGV[4], ARGV[5]
call('DEL', p .. 'inst:' .. inst)
call('SREM', p .. 'insts', inst)
if entry ~= '' then
  local id = field(p .. 'bound', 'tickets:' .. entry)
  if id then -- a task was started with it, and the answer was lost
    call('HINCRBY', W(id), 'attempts', -1)
    requeue(id, true)
  else
    discard('tickets', entry)
  end
end
for _, stream in ipairs({'tickets', 'local'}) do
  if #call('XPENDING', p .. stream, group, '-', '+', 1, inst) == 0 then call('XGROUP', 'DELCONSUMER', p .. stream, group, inst) end
end
return 1
