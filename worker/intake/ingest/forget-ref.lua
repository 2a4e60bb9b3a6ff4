-- Forgets a deleted ref, unless it was pushed since its deletion was noticed.
--
-- KEYS: hash of the deleted refs, of the chain, of the heads of each lane.
-- Arguments: ref; since, when its deletion was noticed, in milliseconds.
-- Answers `forgotten`, or `back` if the mark has changed since.
local args = cjson.decode(ARGV[1])

if tonumber(redis.call('HGET', KEYS[1], args.ref) or '') ~= args.since then return {'back'} end
for _, key in ipairs(KEYS) do redis.call('HDEL', key, args.ref) end
return {'forgotten'}
