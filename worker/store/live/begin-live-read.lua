-- Begins a read of what is live in an environment, or answers with the result of a read by others.
--
-- Every read has a number. A read shows only what had happened before the read began. `after` is the number
-- of the last read at the time of what happened.
--
-- KEYS: record of the reads.
-- Arguments: after, or nothing for what has just happened; by, who reads; now; holdMs, for how long others wait for the answer;
-- keepMs, of the record.
-- Answers `answered` and the version, or ''; `waits`, another one is being read; or `read` and the number of a new read; then `after`.
local args = cjson.decode(ARGV[1])

local K = KEYS[1]
local had = redis.call('HMGET', K, 'begun', 'answered', 'version', 'reader', 'until')
local begun = tonumber(had[1] or '0')
local after = args.after or begun
if tonumber(had[2] or '0') > after then return {'answered', had[3] or '', after} end
-- A promotion that begins again, after a crash of its worker, has no answer to wait for.
local is_held = had[4] and had[4] ~= args.by and tonumber(had[5]) > args.now
if is_held and begun > after then return {'waits', '', after} end
redis.call('HSET', K, 'begun', begun + 1, 'reader', args.by, 'until', args.now + args.holdMs)
redis.call('PEXPIRE', K, args.keepMs)
return {'read', begun + 1, after}
