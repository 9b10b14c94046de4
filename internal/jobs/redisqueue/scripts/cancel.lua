-- Cancels a job, and with the last job of a task the task. Returns 0 if there is no such job.
accepted()
local job = ARGV[5]
if not exists(job) then return 0 end
local id = field(J(job), 'work')
local status = field(W(id), 'status')
if field(J(job), 'cancelled') or final(status) then return 1 end
call('HSET', J(job), 'cancelled', now)
expire(job, id)
if call('HINCRBY', W(id), 'live', -1) == 0 then
  charge(id)
  finish(id, 'cancelled')
  if status == 'running' then call('PUBLISH', p .. 'stops', id) end
end
if status == 'queued' and field(W(id), 'owner') == field(J(job), 'owner') then -- another owner waits for the task from now on
  for _, other in ipairs(call('SMEMBERS', p .. 'views:' .. id)) do
    if not field(J(other), 'cancelled') then
      local o = call('HMGET', J(other), 'owner', 'network', 'turn')
      call('HSET', W(id), 'owner', o[1], 'network', o[2], 'turn', o[3])
      break
    end
  end
end
publish(id)
return 1
