--- include: begin-advance.lua
-- What a consumer gets with a job that BullMQ moved to active: the job, and the advance that it asks for, begun in the same
-- step. One command, because every poll of an execution begins with it.
--
-- Defines answer_taken(taken, steps, quarantineFrom), the last two of `begin_advance`. taken: what BullMQ's script answered.
-- It returns the id of the job or '', the milliseconds for which the queue is limited, when the next job is due, the fields
-- and values of the job, and what `begin_advance` answers, or '' if it is not an advance. The last two are JSON: a client reads
-- a long list much more slowly.
local function answer_taken(taken, steps, quarantine_from)
  local job = type(taken) == 'table' and type(taken[1]) == 'table' and taken[1]
  if not job then
    local limited, due = 0, 0
    if type(taken) == 'table' then limited, due = taken[3], taken[4] end
    return {'', string.format('%.0f', limited), string.format('%.0f', math.floor(due)), '', ''}
  end
  local fields = {}
  for i = 1, #job, 2 do fields[job[i]] = job[i + 1] end
  local begun = ''
  if fields.name == 'advance' then
    local data = cjson.decode(fields.data)
    -- Not a format of jobs that only a newer version knows.
    if data.promotionId and not data.form then begun = cjson.encode(begin_advance(data.promotionId, steps, quarantine_from)) end
  end
  return {taken[2], 0, 0, cjson.encode(fields), begun}
end
