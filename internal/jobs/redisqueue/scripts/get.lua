-- Returns a job with its progress and the size of its result, or nothing.
local job = ARGV[5]
if not exists(job) then return false end
return describe(job, true)
