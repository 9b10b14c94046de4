-- Stores the progress or the state of a run that still has its task.
local id, epoch, name, value = ARGV[5], ARGV[6], ARGV[7], ARGV[8]
if not held(id, epoch) then return 0 end
call('HSET', W(id), name, value)
if name == 'progress' then publish(id) end
return 1
