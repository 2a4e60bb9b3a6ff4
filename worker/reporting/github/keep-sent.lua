-- Keeps what was sent to GitHub about a promotion.
--
-- KEYS: hash of what was sent.
-- Arguments: fields, with their values; keepSeconds, from now on.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])
local fields = {}
for name, value in pairs(args.fields) do
  fields[#fields + 1] = name
  fields[#fields + 1] = value
end
redis.call('HSET', KEYS[1], unpack(fields))
redis.call('EXPIRE', KEYS[1], args.keepSeconds)
return {'ok'}
