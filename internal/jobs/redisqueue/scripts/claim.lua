-- Starts the first waiting task for which there is room, as queuekit.Room.Fits says, and returns it, or nothing. by is new with each claim of
-- the process; a repetition returns the same task. Without by nothing is started, and it returns 1 if a task could be. The last arguments are
-- those whose tasks run (digests).
accepted()
local inst, by, busy, free, alonefrom = ARGV[5], ARGV[6], tonumber(ARGV[7]), ARGV[8] == '1', tonumber(ARGV[9])
local last = field(p .. 'claims', inst)
if by ~= '' and last and field(W(last), 'by') == by then return attempt(last) end

local function first()
  local running = {}
  for i = 10, #ARGV do running[ARGV[i]] = true end
  for _, id in ipairs(call('ZRANGE', p .. 'queue', 0, free and 0 or 999)) do
    local w = call('HMGET', W(id), 'turn', 'dcount')
    local alone = busy > 0 and tonumber(w[2] or 0) >= alonefrom
    if not alone and not running[w[1]] then return id end
  end
end

local id = first()
if not id or by == '' then return id and 1 end
call('HSET', p .. 'claims', inst, id)
call('HSET', p .. 'meta', 'turn', math.max(number(W(id), 'place'), number(p .. 'meta', 'turn')))
begin(id, inst, by)
return attempt(id)
