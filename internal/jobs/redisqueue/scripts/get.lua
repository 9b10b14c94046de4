-- Returns a job whole, or nothing.
local job = ARGV[4]
if not alive(job) then return false end
return describe(job, true)
