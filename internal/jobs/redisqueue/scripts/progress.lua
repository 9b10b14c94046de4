-- Stores the progress of a run.
local id, epoch, progress = ARGV[4], ARGV[5], ARGV[6]
if field(W(id), 'status') ~= 'running' or field(W(id), 'epoch') ~= epoch then return 0 end
call('HSET', W(id), 'progress', progress)
publish(id)
return 1
