-- Takes the deployments of an environment: one sender at a time, so that GitHub gets them in the order in which the
-- promotions changed the environment.
--
-- KEYS: order of the environment, promotions by place; facts about it.
-- Arguments: now; until, when another sender may take it, in milliseconds; promotion, and its place if an older worker
-- gave it none; all, also those that need nothing more.
-- Answers `busy`; or `taken`, the number of changes, the version that a roll-back made live or '', the place of that
-- roll-back, then promotions and their places, the first place first.
local args = cjson.decode(ARGV[1])
local order, facts = KEYS[1], KEYS[2]

local had = redis.call('HMGET', facts, 'until', 'floor', 'changes', 'liveVersion', 'livePlace')
if tonumber(had[1] or '0') > args.now then return {'busy'} end
if args.place then redis.call('ZADD', order, 'NX', args.place, args.promotion) end
redis.call('HSET', facts, 'until', string.format('%.0f', args['until']))
local floor = args.all and '0' or had[2] or '0'
local found = redis.call('ZRANGEBYSCORE', order, floor, '+inf', 'WITHSCORES')
return {'taken', had[3] or '0', had[4] or '', had[5] or '0', unpack(found)}
