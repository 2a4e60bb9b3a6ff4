-- Keeps what was sent to GitHub about a promotion, and counts it if GitHub keeps a limited number.
--
-- KEYS: hash of what was sent; the number, if it counts.
-- Arguments: fields, with their values; keepSeconds, from now on; counts, whether it counts.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])
local fields = {}
for name, value in pairs(args.fields) do
  fields[#fields + 1] = name
  fields[#fields + 1] = value
end
redis.call('HSET', KEYS[1], unpack(fields))
redis.call('EXPIRE', KEYS[1], args.keepSeconds)
if args.counts then
  redis.call('INCR', KEYS[2])
  redis.call('EXPIRE', KEYS[2], args.keepSeconds)
end
return {'ok'}
