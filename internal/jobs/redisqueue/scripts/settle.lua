-- Writes the outcome of a run, unless it has lost its task.
local id, epoch, outcome = ARGV[4], ARGV[5], ARGV[6] -- succeeded, failed, queued for another attempt, yield, or back
local result, failure, detail, progress = ARGV[7], ARGV[8], ARGV[9], ARGV[10]
if field(W(id), 'status') ~= 'running' or field(W(id), 'epoch') ~= epoch then return 0 end
-- In a full Redis a large result waits until there is room.
if #result <= 65536 + call('HSTRLEN', W(id), 'payload') then accepted() end
if outcome == 'back' then
  release(id)
  call('HINCRBY', W(id), 'attempts', -1)
  call('HDEL', W(id), 'progress')
  enqueue(id, field(W(id), 'place'))
  publish(id)
  return 1
end
if outcome == 'queued' or outcome == 'yield' then
  charge(id)
  release(id)
  if outcome == 'yield' then
    call('HINCRBY', W(id), 'attempts', -1)
  else
    call('HINCRBY', W(id), 'failures', 1)
    call('HDEL', W(id), 'state')
  end
  call('HDEL', W(id), 'progress')
  enqueue(id, newplace(id))
  publish(id)
  return 1
end
if progress ~= '' then call('HSET', W(id), 'progress', progress) end
if outcome == 'succeeded' then
  call('SET', R(id), result)
  addbytes(#result)
  local runs, mean = number(p .. 'meta', 'runs'), number(p .. 'meta', 'mean')
  if runs < 20 then runs = runs + 1 end
  local took = math.max(0, now - number(W(id), 'started'))
  call('HSET', p .. 'meta', 'runs', runs, 'mean', string.format('%.0f', mean + (took - mean) / runs))
else
  call('HSET', W(id), 'failure', failure)
  if detail ~= '' then call('HSET', W(id), 'error', detail) end
end
finish(id, outcome)
return 1
