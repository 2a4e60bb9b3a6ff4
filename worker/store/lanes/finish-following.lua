--- include: ../scripts/lane-rules.lua
-- Ends a promotion whose following lanes have accepted it.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion.
-- Answers `ok`.
local R = promotion_key(args.promotion)
redis.call('LREM', lane_key(redis.call('HGET', R, 'lane') or '') .. ':following', 0, args.promotion)
if redis.call('HGET', R, 'state') == 'following' then redis.call('HSET', R, 'state', 'finished') end
return {'ok'}
