-- Stores the end of an attempt (decide.End), unless the task has been taken: its fields from ARGV[11] on, of which an empty one is removed, its
-- result, and where it waits.
local id, epoch, status, result, charged, inplace = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
if not held(id, epoch) then return 0 end
-- In a full Redis a large result waits until there is room.
if #result <= 65536 + call('HSTRLEN', W(id), 'payload') then accepted() end
if charged == '1' then charge(id) end
for i = 11, #ARGV, 2 do
  if ARGV[i + 1] == '' then call('HDEL', W(id), ARGV[i]) else call('HSET', W(id), ARGV[i], ARGV[i + 1]) end
end
if status == 'queued' then
  requeue(id, inplace == '1')
  return 1
end
if status == 'succeeded' then
  call('SET', R(id), result)
  addbytes(#result)
  local runs, mean = number(p .. 'meta', 'runs'), number(p .. 'meta', 'mean')
  if runs < 20 then runs = runs + 1 end
  local took = math.max(0, now - number(W(id), 'started'))
  call('HSET', p .. 'meta', 'runs', runs, 'mean', string.format('%.0f', mean + (took - mean) / runs))
end
finish(id, status)
return 1
