-- Stores the state of a run that still has its task.
local id, epoch, state = ARGV[4], ARGV[5], ARGV[6]
if field(W(id), 'status') ~= 'running' or field(W(id), 'epoch') ~= epoch then return 0 end
call('HSET', W(id), 'state', state)
return 1
