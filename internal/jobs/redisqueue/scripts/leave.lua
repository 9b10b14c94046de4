-- Says that this process works no more, and gives back the ticket that it holds, if any.
local inst, entry = ARGV[4], ARGV[5]
call('DEL', p .. 'inst:' .. inst)
call('SREM', p .. 'insts', inst)
if entry ~= '' then
  local id = field(p .. 'bound', 'tickets:' .. entry)
  if id then -- work was begun with it, and the answer lost
    release(id)
    call('HINCRBY', W(id), 'attempts', -1)
    wait(id, field(W(id), 'place'))
    tell(id)
  else
    drop('tickets', entry)
    if call('ZCARD', p .. 'queue') > 0 then ticket() end
  end
end
for _, stream in ipairs({'tickets', 'local'}) do
  if #call('XPENDING', p .. stream, group, '-', '+', 1, inst) == 0 then call('XGROUP', 'DELCONSUMER', p .. stream, group, inst) end
end
return 1
