-- Releases the deployments of an environment, which `take-environment.lua` took.
--
-- KEYS: order of the environment, promotions by place; facts about it.
-- Arguments: until, as it was taken; changes, as `take-environment.lua` answered; floor, the first place that needs
-- more, or nothing if something could not be sent.
-- Answers `given`; or `late`: another sender had them since, because this one was frozen. Everything must be compared.
local args = cjson.decode(ARGV[1])
local facts = KEYS[2]

local had = redis.call('HMGET', facts, 'until', 'changes')
if tonumber(had[1] or '0') ~= args['until'] then
  redis.call('HINCRBY', facts, 'changes', 1)
  redis.call('HDEL', facts, 'floor')
  return {'late'}
end
redis.call('HDEL', facts, 'until')
-- A roll-back in between has changed which one is active.
if args.floor and (had[2] or '0') == args.changes then redis.call('HSET', facts, 'floor', args.floor) end
return {'given'}
