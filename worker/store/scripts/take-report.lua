--- include: lane-rules.lua
-- Takes the report of a promotion: one sender at a time, so that an older status never arrives after a newer one.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion; leaseUntil, when another sender may take it, in milliseconds.
-- Answers `send`, the sequence, the state, the text; or `busy`, or `nothing`.
local R = promotion_key(args.promotion)
local seq = number_in(R, 'reportSeq')
if seq <= number_in(R, 'reported') then return {'nothing'} end
if number_in(R, 'reportingUntil') > now then return {'busy'} end
redis.call('HSET', R, 'reportingUntil', args.leaseUntil, 'reporting', seq)
return {'send', seq, redis.call('HGET', R, 'reportState'), redis.call('HGET', R, 'reportText')}
