--- include: lane-rules.lua
-- Lets go of a promotion that is over and reported; for good.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion.
-- Answers `closed`, or `open` where there is something to do still.
local R = promotion_key(args.promotion)
if redis.call('HGET', R, 'state') ~= 'finished' then return {'open'} end
if number_in(R, 'reported') < number_in(R, 'reportSeq') then return {'open'} end
redis.call('SREM', prefix .. ':open', args.promotion)
return {'closed'}
