-- Returns the bytes ARGV[6] to ARGV[7] of the result of a succeeded job, or nothing.
local job = ARGV[5]
if not exists(job) or field(J(job), 'cancelled') then return false end
local id = field(J(job), 'work')
if field(W(id), 'status') ~= 'succeeded' then return false end
return call('GETRANGE', R(id), ARGV[6], ARGV[7])
