--- include: lane-rules.lua
-- Takes the report of a promotion: one sender at a time, so that an older status never arrives after a newer one.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion; leaseUntil, when another sender may take it, in milliseconds.
-- Answers `send`, and the fields and values of the record; or `busy`, or `nothing`.
local R = promotion_key(args.promotion)
local seq = number_in(R, 'reportSeq')
if seq <= number_in(R, 'reported') then return {'nothing'} end
if number_in(R, 'reportingUntil') > now then return {'busy'} end
redis.call('HSET', R, 'reportingUntil', args.leaseUntil, 'reporting', seq)
-- With the record, so that an update is never about an older state than its text.
local answer = redis.call('HGETALL', R)
table.insert(answer, 1, 'send')
return answer
