--- include: ../scripts/audit.lua
--- include: ../scripts/epoch.lua
--- include: ../recovery/older-lanes.lua
--- include: contributors.lua
--- include: ../jobs/add-advance.lua
-- Accepts a version into a lane, or answers why not. It is one script, so that two workers cannot both accept it. A lane
-- that is unknown after a loss of the records is created on hold (promise 11).
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, promotion.
--   policy, of the lane: `latest`, `every` or `cancel`.
--   order: `differs`, any other head is new, even an older one (a reset); `greater`, only a higher number is new; `any`,
--     an operator asked for it again; `older`, only recorded, it ends as superseded at once.
--   newer, with `older`: name of the newer version; isSameCommit, whether that is of the same commit.
--   headField and head: what the lane has accepted last, and what is to be accepted.
--   expectedSeq, of the lane when the caller read it; nothing for any.
--   ref, of the pushed version; headSince, the lane's sequence before the caller read the head of that ref; nothing for any.
--   maxCancels in a row; name, of the version, as shown; lostHold, as JSON, for an unknown lane.
--   promotionFields and laneFields, of the records; commit.
--   target, the name of its environment, which is polled at once if it is new; advanceAt, the time by BullMQ's clock, if the
--     promotion that has the lane now gets its job in the same step.
--   audit, if a person did it: by, via, act, data.
-- Answers `accepted`, the lane's sequence, the active promotion of the lane or '', the number of promotions that ended as
--   superseded, and the promotions with a new report; or
--   `duplicate`, the lane has accepted this head already;
--   `changed`, the lane has accepted another since the caller read it;
--   `moved`, one of the same ref is among those that it has accepted since the caller read the head;
--   `lost`, the records are lost and no worker has rebuilt them yet.
local lane, promotion, order, head_field, head = args.lane, args.promotion, args.order, args.headField, args.head
local L, Q, R = lane_key(lane), lane_key(lane) .. ':queue', promotion_key(promotion)
if args.memory then begin_epoch() end
-- Whether the lane has accepted something of the ref since it had this sequence.
local function has_moved(since)
  local left = number_in(L, 'seq') - since
  if left == 0 then return false end
  -- Reads more entries than `left`: they are ordered by time, and the clocks of workers differ.
  for _, id in ipairs(redis.call('ZREVRANGE', L .. ':promotions', 0, left + 99)) do
    if number_in(promotion_key(id), 'seq') > since then
      if task_of(id).ref == args.ref then return true end
      left = left - 1
      if left == 0 then return false end
    end
  end
  return true
end
local marker = redis.call('GET', prefix .. ':state')
if not marker then return {'lost'} end
local known = redis.call('HGET', L .. ':heads', head_field)
if (order == 'differs' or order == 'older') and known == head then return {'duplicate'} end
if order == 'greater' and known and tonumber(known) >= tonumber(head) then return {'duplicate'} end
if redis.call('EXISTS', R) == 1 then return {'duplicate'} end
if args.expectedSeq and number_in(L, 'seq') ~= args.expectedSeq then return {'changed'} end
if args.headSince and has_moved(args.headSince) then return {'moved'} end

if redis.call('EXISTS', L) == 0 then
  local lost = string.sub(marker, 1, 5) == 'lost-' and args.lostHold
  -- The lane may have been created after the state that Redis has now.
  for _, hold in ipairs({lost, older_hold(lane), hold_for_journals()}) do
    if hold then hold_lane(L, hold) end
  end
end
local seq = redis.call('HINCRBY', L, 'seq', 1)
-- The number of the previous lane only grows, also with a promotion that is only recorded.
local is_lower = string.sub(head_field, 1, 6) == 'after:' and known and tonumber(known) > tonumber(head)
if order ~= 'any' and not is_lower then redis.call('HSET', L .. ':heads', head_field, head) end
set_fields(R, args.promotionFields)
set_fields(L, args.laneFields)
-- A promotion that is only recorded was never what the lane should promote.
if order ~= 'older' then redis.call('HSET', L, 'lastPromotion', promotion) end
-- Later commits are compared with the newest one, also after a late push or a repeated promotion.
redis.call((order == 'older' or order == 'any') and 'HSETNX' or 'HSET', L, 'lastCommit', args.commit)
if args.audit then audit(args.audit.by, args.audit.via, args.audit.act, lane, promotion, args.audit.data) end
redis.call('HSET', R, 'lane', lane, 'seq', seq, 'state', 'queued', 'createdAt', now)
redis.call('SADD', prefix .. ':open', promotion)
redis.call('ZADD', prefix .. ':promotions', now, promotion)
redis.call('ZADD', L .. ':promotions', now, promotion)
redis.call('SADD', prefix .. ':lanes', lane)
redis.call('ZADD', prefix .. ':live-times', 'NX', 0, args.target)
append_promotion_history(R, 'accepted', tostring(seq))
-- A promotion that an operator wants again names its people itself.
if order == 'differs' or order == 'greater' then
  redis.call('HSET', L, 'lastAccepted', promotion)
  carry_contributors(L, R)
  add_contributors(L, seq, cjson.decode(args.promotionFields.task))
end
if order == 'older' then
  supersede(promotion, args.newer .. ', which is newer')
  -- A commit has one status for each lane: it belongs to the newer version.
  if args.isSameCommit then
    redis.call('HSET', R, 'reported', redis.call('HGET', R, 'reportSeq'))
    track_unsent(promotion, now)
  end
  return {'accepted', seq, '', superseded, promotion}
end

local touched = {}
if args.policy ~= 'every' then
  for _, id in ipairs(redis.call('LRANGE', Q, 0, -1)) do
    -- A promotion that was resolved and waits has changed the target: it is finished first, like the active one.
    if not has_begun(id) then
      redis.call('LREM', Q, 0, id)
      supersede(id, args.name)
      table.insert(touched, id)
    end
  end
end
redis.call('RPUSH', Q, promotion)
local active = redis.call('HGET', L, 'active')
-- Under a steady stream of pushes nothing would ever be deployed if each push cancelled the promotion before it.
if args.policy == 'cancel' and active and number_in(L, 'cancels') < args.maxCancels then
  redis.call('HSETNX', promotion_key(active), 'cancel', 'superseded by ' .. args.name)
  redis.call('HINCRBY', L, 'cancels', 1)
  table.insert(touched, active)
end
-- The active promotion must end, or it waits at a gate and is superseded now.
if active and (redis.call('HEXISTS', promotion_key(active), 'cancel') == 1 or not has_begun(active)) then request_advance(active) end
local started = start_next(lane)
if started ~= promotion then
  local hold = redis.call('HGET', L, 'hold')
  set_report(promotion, 'pending', hold and 'Waiting: the lane is on hold' or 'Waiting for the promotion before it')
end
if started ~= '' and args.advanceAt then add_advance(prefix, started, args.advanceAt) end
return {'accepted', seq, started, superseded, unpack(touched)}
