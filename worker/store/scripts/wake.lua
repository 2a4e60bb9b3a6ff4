--- include: lane-rules.lua
-- Gives idle lanes to their next promotions; for the reconciler.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; lanes.
-- Answers how many ended as superseded, then the promotions that were given a lane.
local started = {}
for _, lane in ipairs(args.lanes) do
  local id = kick(lane)
  if id ~= '' then table.insert(started, id) end
end
return {superseded, unpack(started)}
