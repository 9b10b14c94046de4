-- Cancels a job, and with the last job of a task the task. Returns 0 if there is no such job.
local job = ARGV[4]
if not exists(job) then return 0 end
local id = field(J(job), 'work')
local status = field(W(id), 'status')
if field(J(job), 'cancelled') or final(status) then return 1 end
call('HSET', J(job), 'cancelled', now)
expire(job, id)
if call('HINCRBY', W(id), 'live', -1) == 0 then
  finish(id, 'cancelled')
  if status == 'running' then call('PUBLISH', p .. 'stops', id) end
end
publish(id)
return 1
