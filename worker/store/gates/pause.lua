--- include: ../scripts/audit.lua
--- include: pauses.lua
-- Pauses everything, or a repository or an environment.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; pause, as JSON, without its id; by, via.
-- Answers `ok` and the id of the pause, or `full`.
-- The limit of pauses: more than a person reads.
if redis.call('HLEN', pauses) >= 50 then return {'full'} end
-- The id has the time in it, like the id of a hold.
local id = string.format('%.0f-%d', now, redis.call('INCR', prefix .. ':pause-count'))
redis.call('HSET', pauses, id, args.pause)
audit(args.by, args.via, 'pause', '', '', args.pause)
return {'ok', id}
