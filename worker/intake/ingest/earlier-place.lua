--- include: ../../queue/has-job.lua
-- Whether an earlier push of the repository is still to be ingested. Removes the places whose job has ended or no longer
-- exists: a killed worker may leave such a place.
--
-- KEYS: sorted set of the places.
-- Arguments: job, the id of the push's job; jobKeys, prefix of the keys of such jobs.
-- Answers `first`, or `waits`.
local args = cjson.decode(ARGV[1])

local rank = redis.call('ZRANK', KEYS[1], args.job)
if not rank or rank == 0 then return {'first'} end
for _, job in ipairs(redis.call('ZRANGE', KEYS[1], 0, rank - 1)) do
  if has_open_job(args.jobKeys, job) then return {'waits'} end
  redis.call('ZREM', KEYS[1], job)
end
return {'first'}
