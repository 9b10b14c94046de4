-- Starts the first waiting task with a ticket of this process. Returns nothing if none waits, 'alone' if the task must run
-- alone and other tasks run in this process, and otherwise the task.
accepted()
local inst, entry, busy, alonefrom = ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])
local id = field(p .. 'bound', 'tickets:' .. entry)
if not id then -- otherwise this is a repetition, because the answer was lost
  id = call('ZRANGE', p .. 'queue', 0, 0)[1]
  if not id then
    drop('tickets', entry)
    return false
  end
  if busy > 0 and number(W(id), 'dcount') >= alonefrom then return {'alone'} end
  local place = number(W(id), 'place')
  if place > number(p .. 'meta', 'turn') then call('HSET', p .. 'meta', 'turn', place) end
  begin(id, inst, 'tickets', entry)
end
local t = call('HMGET', W(id), 'kind', 'key', 'attempts', 'epoch', 'failures', 'payload', 'owner')
return {'task', id, t[1], t[2], t[3], t[4], t[5], t[6], number(W(id), 'dcount'), t[7]}
