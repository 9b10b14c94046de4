-- Returns a job with its payload and result, or nothing.
local job = ARGV[4]
if not exists(job) then return false end
return describe(job, true)
