--- include: ../scripts/epoch.lua
-- Ends the comparison of a lane's records with the platform and GitHub; the lane is held if they disagree.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; lane; run, the process of Redis that had the records; hold, as JSON, or nothing.
-- Answers `held`, `agrees`, or `late` if another worker has compared it, or Redis was replaced since.
if redis.call('HGET', epoch, 'run') ~= args.run then return {'late'} end
if redis.call('SREM', unchecked, args.lane) == 0 then return {'late'} end
if not args.hold then return {'agrees'} end
hold_lane(lane_key(args.lane), args.hold)
return {'held'}
