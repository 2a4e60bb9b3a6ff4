-- A request with several writes was refused because of a limit, or its answer was lost: the next requests have at most half
-- of its writes, but at least two. After an hour they have as many as before.
--
-- KEYS: hash about requests with several writes.
-- Arguments: writes, of the request.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])
if args.writes < 2 then return {'ok'} end
redis.call('HSET', KEYS[1], 'most', math.max(2, math.floor(args.writes / 2)))
redis.call('PEXPIRE', KEYS[1], 3600000)
return {'ok'}
