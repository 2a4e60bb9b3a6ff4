-- Puts a notice in, if it never was before.
--
-- KEYS: sorted set of the notices by when they are due; the mark of this notice.
-- Arguments: now, in milliseconds; id; rememberSeconds, of the mark.
-- Answers nothing of use.
local args = cjson.decode(ARGV[1])

if redis.call('SET', KEYS[2], '1', 'NX', 'EX', args.rememberSeconds) then
  redis.call('ZADD', KEYS[1], args.now, args.id)
end
return {'ok'}
