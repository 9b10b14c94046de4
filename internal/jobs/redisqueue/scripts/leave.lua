-- Removes a process from those that are alive. by is its last claim, or the next: a task that was started by it, although the answer was lost,
-- is given back.
accepted()
local inst, by = ARGV[5], ARGV[6]
call('DEL', p .. 'inst:' .. inst)
call('SREM', p .. 'insts', inst)
local id = field(p .. 'claims', inst)
if id and field(W(id), 'by') == by then
  call('HINCRBY', W(id), 'attempts', -1)
  requeue(id, true)
end
call('HDEL', p .. 'claims', inst)
return 1
