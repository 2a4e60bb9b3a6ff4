--- include: ../scripts/lane-rules.lua
-- Rebuilds the record of a lane after the records were lost, unless that was done already. Either way the lane is held
-- until a person has checked it (promise 11). What is live in the target is recorded with the sequence 0, so that any
-- push is newer.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane; hold, as JSON; live, if anything is: version, commit or ''; fields, of the record.
-- Answers `ok`.
local L = lane_key(args.lane)
for field, value in pairs(args.fields) do redis.call('HSETNX', L, field, value) end
redis.call('HSETNX', L, 'seq', 0)
redis.call('SADD', prefix .. ':lanes', args.lane)
local live = args.live
if live and redis.call('HSETNX', L, 'liveVersion', live.version) == 1 then
  redis.call('HSET', L, 'liveSeq', 0, 'livePromotion', '', 'liveAt', now, 'liveCommit', live.commit)
  -- Earlier commits were promoted already, or skipped.
  if live.commit ~= '' then redis.call('HSETNX', L, 'lastCommit', live.commit) end
end
hold_lane(L, args.hold)
return {'ok'}
