import { defineScript } from '../script.ts';
import { laneRules } from './lane-rules.ts';
import { auditRule } from './steer.ts';

/**
 * Takes a version into a lane, or says why not: `duplicate` where the lane has accepted this head already, `changed`
 * where it has accepted another since the caller looked, `lost` where the records are gone and nobody has seen to it
 * yet. One script, so that two workers cannot both accept. A lane that is not known after a loss is made on hold
 * (promise 11).
 *
 * ARGV: prefix, now, lane, promotion, policy, order, head field, head value, expected sequence ('' for any), most cancels in
 * a row, name of the version, hold of a lane that is not known, then field–value pairs of the promotion and, after '--', of
 * the lane; after another '--' by, via, act and data of its line in the audit, where a person did it.
 * Order `differs`: any other head is new, an older one too (a reset). `greater`: only a higher number is. `any`: an
 * operator wants it again. `older`: for the record only; it ends as superseded at once.
 */
export const accept = defineScript(
  laneRules,
  auditRule,
  `
local lane, promotion, policy, order, head_field, head = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local expected, most_cancels, name = ARGV[9], tonumber(ARGV[10]), ARGV[11]
local L, Q, R = lane_key(lane), lane_key(lane) .. ':queue', promotion_key(promotion)
local marker = redis.call('GET', prefix .. ':state')
if not marker then return {'lost'} end
local known = redis.call('HGET', L .. ':heads', head_field)
if (order == 'differs' or order == 'older') and known == head then return {'duplicate'} end
if order == 'greater' and known and tonumber(known) >= tonumber(head) then return {'duplicate'} end
if redis.call('EXISTS', R) == 1 then return {'duplicate'} end
if expected ~= '' and (redis.call('HGET', L, 'seq') or '0') ~= expected then return {'changed'} end

if string.sub(marker, 1, 5) == 'lost-' and redis.call('EXISTS', L) == 0 then hold_lane(L, ARGV[12]) end
local seq = redis.call('HINCRBY', L, 'seq', 1)
if order ~= 'any' then redis.call('HSET', L .. ':heads', head_field, head) end
local i = 13
while ARGV[i] and ARGV[i] ~= '--' do
  redis.call('HSET', R, ARGV[i], ARGV[i + 1])
  i = i + 2
end
i = i + 1
while ARGV[i] and ARGV[i] ~= '--' do
  if ARGV[i] == 'lastPromotion' and order == 'older' then
    -- It never was what the lane should hold.
  elseif ARGV[i] == 'lastCommit' and (order == 'older' or order == 'any') then
    -- The newest commit stays what later ones are measured by, whatever comes late or is run again.
    redis.call('HSETNX', L, ARGV[i], ARGV[i + 1])
  else
    redis.call('HSET', L, ARGV[i], ARGV[i + 1])
  end
  i = i + 2
end
if ARGV[i] then audit(ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], lane, promotion, ARGV[i + 4]) end
redis.call('HSET', R, 'id', promotion, 'lane', lane, 'seq', seq, 'state', 'queued', 'createdAt', now)
redis.call('SADD', prefix .. ':open', promotion)
redis.call('ZADD', prefix .. ':promotions', now, promotion)
redis.call('ZADD', L .. ':promotions', now, promotion)
redis.call('SADD', prefix .. ':lanes', lane)
note(R, 'accepted', tostring(seq))
if order == 'older' then
  supersede(promotion, 'a newer commit')
  return {'accepted', tostring(seq), '', superseded, promotion}
end

local touched = {}
if policy ~= 'every' then
  for _, id in ipairs(redis.call('LRANGE', Q, 0, -1)) do
    -- What was taken up again has changed the target: it is seen to its end first, like what has the lane.
    if not has_begun(id) then
      redis.call('LREM', Q, 0, id)
      supersede(id, name)
      table.insert(touched, id)
    end
  end
end
redis.call('RPUSH', Q, promotion)
local active = redis.call('HGET', L, 'active')
-- Under a steady stream of pushes nothing would ever be deployed if each cancelled the one before.
if policy == 'cancel' and active and tonumber(redis.call('HGET', L, 'cancels') or '0') < most_cancels then
  redis.call('HSETNX', promotion_key(active), 'cancel', 'superseded by ' .. name)
  redis.call('HINCRBY', L, 'cancels', 1)
  table.insert(touched, active)
end
local started = kick(lane)
if started ~= promotion then
  local hold = redis.call('HGET', L, 'hold')
  say(R, 'pending', hold and 'Waiting: the lane is on hold' or 'Waiting for the promotion before it')
end
return {'accepted', tostring(seq), started, superseded, unpack(touched)}
`,
);
