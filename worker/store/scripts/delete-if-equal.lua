-- Deletes a key if it still has the value: the key of another owner remains.
--
-- KEYS: the key.
-- Arguments: value.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])

if redis.call('GET', KEYS[1]) == args.value then redis.call('DEL', KEYS[1]) end
return {'ok'}
