--- include: ../scripts/audit.lua
-- Holds all lanes after a restored backup. A lane that the backup does not have starts on hold when it is accepted, as after a
-- loss of the records (`accept.lua`): it may have been held.
--
-- KEYS: the marker of the records.
-- Arguments: prefix, now, without memory; hold, as JSON; fresh, of a new marker; by, via; dryRun, which writes nothing.
-- Answers the lanes.
local lanes = redis.call('SMEMBERS', prefix .. ':lanes')
if args.dryRun then return lanes end
for _, lane in ipairs(lanes) do hold_lane(lane_key(lane), args.hold) end
local marker = redis.call('GET', KEYS[1])
-- A worker that runs follows the new one.
if marker then redis.call('SADD', prefix .. ':state:was', marker) end
redis.call('SET', KEYS[1], 'lost-' .. args.fresh)
audit(args.by, args.via, 'hold', '', '', args.hold)
return lanes
