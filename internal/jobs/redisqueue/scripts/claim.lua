-- Starts the first waiting task with a ticket of this process. Returns nothing if none waits, 'alone' if the task must run
-- alone and other tasks run in this process, and otherwise the task. If ARGV[8] is 1, only tasks may start of others than those after it
-- (digests). Without a ticket, nothing is started, and it returns 1 if a task could be. queuekit.Room.Fits says the same.
accepted()
local inst, entry, busy, alonefrom = ARGV[4], ARGV[5], tonumber(ARGV[6]), tonumber(ARGV[7])

local function first()
  if ARGV[8] ~= '1' then return call('ZRANGE', p .. 'queue', 0, 0)[1] end
  local running = {}
  for i = 9, #ARGV do running[ARGV[i]] = true end
  for _, id in ipairs(call('ZRANGE', p .. 'queue', 0, 999)) do
    local w = call('HMGET', W(id), 'turn', 'dcount')
    if not running[w[1]] and tonumber(w[2] or 0) < alonefrom then return id end
  end
end

if entry == '' then return first() and 1 or 0 end
local id = field(p .. 'bound', 'tickets:' .. entry)
if not id then -- otherwise this is a repetition, because the answer was lost
  id = first()
  if not id then
    discard('tickets', entry)
    return false
  end
  if busy > 0 and number(W(id), 'dcount') >= alonefrom then return 'alone' end
  local place = number(W(id), 'place')
  if place > number(p .. 'meta', 'turn') then call('HSET', p .. 'meta', 'turn', place) end
  begin(id, inst, 'tickets', entry)
end
return attempt(id)
