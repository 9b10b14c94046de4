-- Keeps what a run reports of its progress.
local id, epoch, progress = ARGV[4], ARGV[5], ARGV[6]
if field(W(id), 'status') ~= 'running' or field(W(id), 'epoch') ~= epoch then return 0 end
call('HSET', W(id), 'progress', progress)
tell(id)
return 1
