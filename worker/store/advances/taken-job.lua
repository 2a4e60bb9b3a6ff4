--- include: begin-advance.lua
--- include: ../queue/last-job.lua
-- What a consumer gets with a job that BullMQ moved to active: the job, and the advance that it asks for, begun in the same
-- step. One command, because every poll of an execution begins with it.
--
-- Defines answer_taken(taken, queuePrefix, steps, quarantineFrom), the last two of `begin_advance`. taken: what BullMQ's script
-- answered. It returns the same as `take-job.lua`, and what `begin_advance` answers as JSON, or '' if it is not an advance.
local function answer_taken(taken, queue_prefix, steps, quarantine_from)
  local job = type(taken) == 'table' and type(taken[1]) == 'table' and taken[1]
  if not job then
    local limited, due = 0, 0
    if type(taken) == 'table' then limited, due = taken[3], taken[4] end
    return {'', string.format('%.0f', limited), string.format('%.0f', math.floor(due)), '', '', ''}
  end
  local fields = {}
  for i = 1, #job, 2 do fields[job[i]] = job[i + 1] end
  local begun = ''
  if fields.name == 'advance' then
    local data = cjson.decode(fields.data)
    -- Not a format of jobs that only a newer version knows.
    if data.promotionId and not data.form then begun = cjson.encode(begin_advance(data.promotionId, steps, quarantine_from)) end
  end
  local due = next_due(queue_prefix)
  return {taken[2], 0, string.format('%.0f', due or 0), due and '1' or '', cjson.encode(fields), begun}
end
