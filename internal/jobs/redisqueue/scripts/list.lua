-- Returns up to limit + 1 jobs of an owner with numbers below before, newest first.
local ownerkey, before, status, limit = ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7])
local out, max = {}, '(' .. before
while true do
  local chunk = call('ZREVRANGEBYSCORE', p .. 'owner:' .. ownerkey, max, '-inf', 'WITHSCORES', 'LIMIT', 0, 200)
  if #chunk == 0 then return out end
  for i = 1, #chunk, 2 do
    local job = chunk[i]
    max = '(' .. chunk[i + 1]
    if exists(job) then
      local d = describe(job, false)
      local is = d[7]
      if d[4] then is = 'cancelled' end
      if status == '' or is == status then
        out[#out + 1] = d
        if #out > limit then return out end
      end
    end
  end
end
