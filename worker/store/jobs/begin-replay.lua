--- include: ../scripts/audit.lua
-- Starts the replay of a dead letter and records who asked for it, in one script. From then on any worker may finish the
-- replay.
--
-- KEYS: sorted set of the dead letters.
-- Arguments: prefix, now; letter; by, via; lane, promotion, data, of its line in the audit.
-- Answers the letter, or '' if it does not exist or another replay was first.
local key = prefix .. ':dead:' .. args.letter
local text = redis.call('GET', key)
if redis.call('ZREM', KEYS[1], args.letter) == 0 or not text then return {''} end
redis.call('DEL', key)
redis.call('HSET', prefix .. ':replaying', args.letter, text)
audit(args.by, args.via, 'replay', args.lane, args.promotion, args.data)
return {text}
