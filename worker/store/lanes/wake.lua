--- include: ../scripts/lane-rules.lua
-- Starts the next promotions of idle lanes; for the reconciler.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; lanes.
-- Answers how many ended as superseded, then the promotions that started.
local started = {}
for _, lane in ipairs(args.lanes) do
  local id = start_next(lane)
  if id ~= '' then table.insert(started, id) end
end
return {superseded, unpack(started)}
