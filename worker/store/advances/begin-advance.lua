--- include: ../scripts/lane-rules.lua
-- Begins to advance a promotion: a new fence, so that a worker that began before (a frozen process that wakes up again)
-- can no longer change anything. Counts the advances that did not end, because a promotion that kills its worker must not
-- do so for ever. Answers the record as of the fence: what was read before may be out of date.
--
-- Defines begin_advance(promotion, steps, quarantineFrom). steps: names of those that the caller knows, or nothing for any;
-- quarantineFrom: number of unfinished advances from which it does not begin, or nothing for any.
-- It returns `ok`, or why it did not begin: `over`, `unknown-step`, `quarantine`; then the fields and values of the record, and with
-- them `#pauses`, how many pauses there are, of anything.
local function begin_advance(promotion, steps, quarantine_from)
  local R = promotion_key(promotion)
  local function answer(status)
    local fields = redis.call('HGETALL', R)
    -- Its key has the id. No field of a record begins with `#`.
    if #fields > 0 then
      for _, more in ipairs({'id', promotion, '#pauses', redis.call('HLEN', prefix .. ':pauses')}) do table.insert(fields, more) end
    end
    table.insert(fields, 1, status)
    return fields
  end
  local function is_known(step)
    for _, name in ipairs(steps) do
      if name == step then return true end
    end
    return false
  end
  -- This happens before the record is read: a later request is not in the record.
  redis.call('HDEL', R, 'advanceRequested')
  local had = redis.call('HMGET', R, 'lane', 'state', 'step', 'unfinished', 'fence')
  if not had[1] or had[2] ~= 'active' then return answer('over') end
  local L = lane_key(had[1])
  if redis.call('HGET', L, 'active') ~= promotion then return answer('over') end
  if steps and not is_known(step_name(had[3])) then return answer('unknown-step') end
  if quarantine_from and tonumber(had[4] or '0') >= quarantine_from then return answer('quarantine') end
  local fence = tostring(redis.call('HINCRBY', L, 'fence', 1))
  -- In an older state the count is lower again. It must not give two workers the same fence.
  if args.memory then fence = fence .. '-' .. args.memory.worker .. '-' .. args.memory.call end
  redis.call('HSET', R, 'fence', fence)
  -- The advance before did not end: its worker was stopped or killed, or lost the job.
  if redis.call('HINCRBY', R, 'unfinished', 1) > 1 then
    local is_same = args.memory and string.find(had[5] or '', args.memory.worker, 1, true)
    append_promotion_history(R, is_same and 'begun-again' or 'taken-over', '')
  end
  return answer('ok')
end
