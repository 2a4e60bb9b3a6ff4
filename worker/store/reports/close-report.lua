--- include: ../scripts/lane-rules.lua
-- Closes a promotion that has finished and is reported.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion.
-- Answers `closed`, or `open` if something is left to do.
local R = promotion_key(args.promotion)
if redis.call('HGET', R, 'state') ~= 'finished' then return {'open'} end
if number_in(R, 'reported') < number_in(R, 'reportSeq') then return {'open'} end
redis.call('SREM', prefix .. ':open', args.promotion)
return {'closed'}
