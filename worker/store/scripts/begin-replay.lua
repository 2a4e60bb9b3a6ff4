--- include: audit.lua
-- Sets a dead letter out to be replayed and writes down who did, in one script; from then on the replay is under way,
-- whichever worker does it.
--
-- KEYS: sorted set of the dead letters.
-- Arguments: prefix, now; letter; by, via; lane, promotion, data, of its line in the audit.
-- Answers the letter, or '' where it is not there or another was first.
local key = prefix .. ':dead:' .. args.letter
local text = redis.call('GET', key)
if redis.call('ZREM', KEYS[1], args.letter) == 0 or not text then return {''} end
redis.call('DEL', key)
redis.call('HSET', prefix .. ':replaying', args.letter, text)
audit(args.by, args.via, 'replay', args.lane, args.promotion, args.data)
return {text}
