--- include: lane-rules.lua
-- Makes the record of a lane again after the records were lost, or finds it made already; it is held either way, until
-- a person has looked (promise 11). What is live in the target is written down for people; it has the sequence 0, so
-- that any push is newer.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane; hold, as JSON; live, where something is: version, commit or ''; fields, of the record.
-- Answers nothing of use.
local L = lane_key(args.lane)
for field, value in pairs(args.fields) do redis.call('HSETNX', L, field, value) end
redis.call('HSETNX', L, 'seq', 0)
redis.call('SADD', prefix .. ':lanes', args.lane)
local live = args.live
if live and redis.call('HSETNX', L, 'liveVersion', live.version) == 1 then
  redis.call('HSET', L, 'liveSeq', 0, 'livePromotion', '', 'liveAt', now, 'liveCommit', live.commit)
  -- What comes before it in the history was promoted already, or was passed by.
  if live.commit ~= '' then redis.call('HSETNX', L, 'lastCommit', live.commit) end
end
hold_lane(L, args.hold)
return {'ok'}
