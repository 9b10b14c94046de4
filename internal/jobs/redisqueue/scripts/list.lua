-- Returns up to limit + 1 jobs of an owner with numbers below before, newest first. If ARGV[9] is 1, returns those whose IDs are the arguments
-- after it.
local ownerkey, before, status, limit, byid = ARGV[5], ARGV[6], ARGV[7], tonumber(ARGV[8]), ARGV[9] == '1'
local out, max = {}, '(' .. before

local function add(job)
  if not exists(job) then return end
  local d = describe(job, false)
  local is = d[7]
  if d[4] then is = 'cancelled' end
  if status == '' or is == status then out[#out + 1] = d end
end

if byid then
  local seen = {}
  for i = 10, #ARGV do
    local job = ARGV[i]
    if not seen[job] and field(J(job), 'ownerkey') == ownerkey then add(job) end
    seen[job] = true
  end
  table.sort(out, function(a, b) return tonumber(a[2]) > tonumber(b[2]) end)
  return out
end
while true do
  local chunk = call('ZREVRANGEBYSCORE', p .. 'owner:' .. ownerkey, max, '-inf', 'WITHSCORES', 'LIMIT', 0, 200)
  if #chunk == 0 then return out end
  for i = 1, #chunk, 2 do
    max = '(' .. chunk[i + 1]
    add(chunk[i])
    if #out > limit then return out end
  end
end
