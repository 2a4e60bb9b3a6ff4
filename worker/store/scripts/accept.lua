--- include: audit.lua
--- include: contributors.lua
-- Takes a version into a lane, or says why not. One script, so that two workers cannot both accept. A lane that is not
-- known after a loss is made on hold (promise 11).
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, promotion.
--   policy, of the lane: `latest`, `every` or `cancel`.
--   order: `differs`, any other head is new, an older one too (a reset); `greater`, only a higher number is; `any`, an
--     operator wants it again; `older`, for the record only, it ends as superseded at once.
--   newer, with `older`: name of the newer version; isSameCommit, whether that is of the same commit.
--   headField and head: what the lane has accepted last, and what is to be accepted.
--   expectedSeq, of the lane when the caller looked; nothing for any.
--   maxCancels in a row; name, of the version, for people; lostHold, as JSON, of a lane that is not known.
--   promotionFields and laneFields, of the records; commit.
--   audit, where a person did it: by, via, act, data.
-- Answers `accepted`, the lane's sequence, the promotion that has the lane now or '', how many ended as superseded, and
--   the promotions that have something new to report; or
--   `duplicate`, the lane has accepted this head already;
--   `changed`, it has accepted another since the caller looked;
--   `lost`, the records are gone and no worker has rebuilt them yet.
local lane, promotion, order, head_field, head = args.lane, args.promotion, args.order, args.headField, args.head
local L, Q, R = lane_key(lane), lane_key(lane) .. ':queue', promotion_key(promotion)
local marker = redis.call('GET', prefix .. ':state')
if not marker then return {'lost'} end
local known = redis.call('HGET', L .. ':heads', head_field)
if (order == 'differs' or order == 'older') and known == head then return {'duplicate'} end
if order == 'greater' and known and tonumber(known) >= tonumber(head) then return {'duplicate'} end
if redis.call('EXISTS', R) == 1 then return {'duplicate'} end
if args.expectedSeq and number_in(L, 'seq') ~= args.expectedSeq then return {'changed'} end

if string.sub(marker, 1, 5) == 'lost-' and redis.call('EXISTS', L) == 0 then hold_lane(L, args.lostHold) end
local seq = redis.call('HINCRBY', L, 'seq', 1)
-- The number of the lane before it only grows, also by one for the record only.
local is_lower = string.sub(head_field, 1, 6) == 'after:' and known and tonumber(known) > tonumber(head)
if order ~= 'any' and not is_lower then redis.call('HSET', L .. ':heads', head_field, head) end
set_fields(R, args.promotionFields)
set_fields(L, args.laneFields)
-- One for the record only never was what the lane should hold.
if order ~= 'older' then redis.call('HSET', L, 'lastPromotion', promotion) end
-- The newest commit stays what later ones are measured by, whatever comes late or is promoted again.
redis.call((order == 'older' or order == 'any') and 'HSETNX' or 'HSET', L, 'lastCommit', args.commit)
if args.audit then audit(args.audit.by, args.audit.via, args.audit.act, lane, promotion, args.audit.data) end
redis.call('HSET', R, 'id', promotion, 'lane', lane, 'seq', seq, 'state', 'queued', 'createdAt', now)
redis.call('SADD', prefix .. ':open', promotion)
redis.call('ZADD', prefix .. ':promotions', now, promotion)
redis.call('ZADD', L .. ':promotions', now, promotion)
redis.call('SADD', prefix .. ':lanes', lane)
note(R, 'accepted', tostring(seq))
-- What an operator wants again names its people itself.
if order == 'differs' or order == 'greater' then
  carry_contributors(L, R)
  add_contributors(L, seq, cjson.decode(args.promotionFields.plan))
end
if order == 'older' then
  supersede(promotion, args.newer .. ', which is newer')
  -- A commit has one status for each lane: it belongs to the newer version.
  if args.isSameCommit then redis.call('HSET', R, 'reported', redis.call('HGET', R, 'reportSeq')) end
  return {'accepted', seq, '', superseded, promotion}
end

local touched = {}
if args.policy ~= 'every' then
  for _, id in ipairs(redis.call('LRANGE', Q, 0, -1)) do
    -- One that was resolved and waits has changed the target: it is finished first, like the active one.
    if not has_begun(id) then
      redis.call('LREM', Q, 0, id)
      supersede(id, args.name)
      table.insert(touched, id)
    end
  end
end
redis.call('RPUSH', Q, promotion)
local active = redis.call('HGET', L, 'active')
-- Under a steady stream of pushes nothing would ever be deployed if each cancelled the one before.
if args.policy == 'cancel' and active and number_in(L, 'cancels') < args.maxCancels then
  redis.call('HSETNX', promotion_key(active), 'cancel', 'superseded by ' .. args.name)
  redis.call('HINCRBY', L, 'cancels', 1)
  table.insert(touched, active)
end
-- It ends, or it waits at a gate and is superseded now.
if active and (redis.call('HEXISTS', promotion_key(active), 'cancel') == 1 or not has_begun(active)) then request_advance(active) end
local started = kick(lane)
if started ~= promotion then
  local hold = redis.call('HGET', L, 'hold')
  say(R, 'pending', hold and 'Waiting: the lane is on hold' or 'Waiting for the promotion before it')
end
return {'accepted', seq, started, superseded, unpack(touched)}
