--- include: ../scripts/lane-rules.lua
-- Pauses of everything, of a repository or of an environment. They are separate records, not holds of lanes, so that
-- they also apply to new lanes.
--
-- Defines pauses, the key, and is_covered, is_paused.
local pauses = prefix .. ':pauses'
-- Whether a pause applies to a promotion.
local function is_covered(pause, promotion)
  local task = task_of(promotion)
  return (not pause.repository or pause.repository == task.repository.id)
    and (not pause.environment or pause.environment == task.lane.to)
end
local function is_paused(promotion)
  for _, text in ipairs(redis.call('HVALS', pauses)) do
    if is_covered(cjson.decode(text), promotion) then return true end
  end
  return false
end
