--- include: ../scripts/lane-rules.lua
-- Takes the report of a promotion: one sender at a time, so that an older status never arrives after a newer one.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, promotion; leaseUntil, when another sender may take it, in milliseconds.
-- Answers `send`, how many fields and values the first and the second of three hashes have, and the fields and values of all three: the record, what
-- was sent about it, and what GitHub refused of its repository; or `busy`, or `nothing`.
local R = promotion_key(args.promotion)
local seq = number_in(R, 'reportSeq')
if seq <= number_in(R, 'reported') then return {'nothing'} end
if number_in(R, 'reportingUntil') > now then return {'busy'} end
local task = task_of(args.promotion)
if not task then return {'nothing'} end
redis.call('HSET', R, 'reportingUntil', args.leaseUntil, 'reporting', seq)
-- Read together with the record, so that an update is never about an older state than its text.
local record, sent = redis.call('HGETALL', R), redis.call('HGETALL', R .. ':report')
local repository = string.format('%.0f', task.repository.id)
local answer = {'send', #record, #sent}
for _, hash in ipairs({record, sent, redis.call('HGETALL', prefix .. ':github:postponed:' .. repository)}) do
  for _, text in ipairs(hash) do answer[#answer + 1] = text end
end
return answer
