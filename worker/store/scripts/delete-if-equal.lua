-- Deletes a key that still has the value: the key of somebody else stays.
--
-- KEYS: the key.
-- Arguments: value.
-- Answers nothing of use.
local args = cjson.decode(ARGV[1])

if redis.call('GET', KEYS[1]) == args.value then redis.call('DEL', KEYS[1]) end
return {'ok'}
