-- Forgets a ref, unless it was pushed since it was seen to be gone.
--
-- KEYS: hash of the refs that are gone, of the chain, of the heads of each lane.
-- Arguments: ref; since, when it was seen to be gone, in milliseconds.
-- Answers `forgotten`, or `back` where the mark has changed since.
local args = cjson.decode(ARGV[1])

if tonumber(redis.call('HGET', KEYS[1], args.ref) or '') ~= args.since then return {'back'} end
for _, key in ipairs(KEYS) do redis.call('HDEL', key, args.ref) end
return {'forgotten'}
