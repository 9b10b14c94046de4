-- Returns the bytes ARGV[5] to ARGV[6] of the result of a succeeded job, or nothing.
local job = ARGV[4]
if not exists(job) or field(J(job), 'cancelled') then return false end
local id = field(J(job), 'work')
if field(W(id), 'status') ~= 'succeeded' then return false end
return call('GETRANGE', R(id), ARGV[5], ARGV[6])
