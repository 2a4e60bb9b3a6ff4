-- Extends the lifetime of a key if it still has the value.
--
-- KEYS: the key.
-- Arguments: value; ms, to live from now on.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])

if redis.call('GET', KEYS[1]) == args.value then redis.call('PEXPIRE', KEYS[1], args.ms) end
return {'ok'}
