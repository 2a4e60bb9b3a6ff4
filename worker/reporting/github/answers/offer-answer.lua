-- Adds the answer to a comment, unless the comment got one before.
--
-- KEYS: sorted set of the answers by due time; hash of this answer.
-- Arguments: now, in milliseconds; name, of the comment; answer, as JSON; keepSeconds, for the hash.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])

if redis.call('HSETNX', KEYS[2], 'answer', args.answer) == 1 then
  redis.call('EXPIRE', KEYS[2], args.keepSeconds)
  redis.call('ZADD', KEYS[1], args.now, args.name)
end
return {'ok'}
