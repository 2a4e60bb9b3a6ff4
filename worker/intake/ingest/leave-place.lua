-- Gives up a place in the order of a repository's pushes.
--
-- KEYS: sorted set of the places.
-- Arguments: job, the id of the push's job.
-- Answers the job that is first now, or ''.
local args = cjson.decode(ARGV[1])

if redis.call('ZREM', KEYS[1], args.job) == 0 then return {''} end
return {redis.call('ZRANGE', KEYS[1], 0, 0)[1] or ''}
