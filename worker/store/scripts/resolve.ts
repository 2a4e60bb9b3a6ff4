import { defineScript } from '../script.ts';
import { laneRules } from './lane-rules.ts';
import { auditRule } from './steer.ts';

/**
 * Takes a promotion that ended as indeterminate up again, at the step that somebody has said it stands at. It stands before
 * all that wait; the hold that it set itself is lifted, any other one stays.
 * ARGV: prefix, now, lane, promotion, by, via, step as JSON, intent (`keep` or ''), what was said as JSON.
 * Answers `ok`, the promotion that has the lane now and how many ended as superseded; or `not-indeterminate`, `busy`, `passed-by`.
 */
export const resolve = defineScript(
  laneRules,
  auditRule,
  `
local lane, promotion, by, via = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local L, R = lane_key(lane), promotion_key(promotion)
if redis.call('HGET', R, 'state') ~= 'finished' or redis.call('HGET', R, 'outcome') ~= 'indeterminate' then return {'not-indeterminate', ''} end
if redis.call('HEXISTS', L, 'active') == 1 then return {'busy', ''} end
if tonumber(redis.call('HGET', R, 'seq') or '0') <= tonumber(redis.call('HGET', L, 'liveSeq') or '0') then return {'passed-by', ''} end
local lifted = lift_holds(L, function(one) return one.cause == 'indeterminate' and one.promotion == promotion end)
if #lifted > 0 then note(L, 'resumed', lifted_as_json(by, via, 'the promotion was resolved', lifted)) end
redis.call('HDEL', R, 'outcome', 'message', 'endedAt', 'cancel')
redis.call('HSET', R, 'state', 'queued', 'step', ARGV[7], 'unfinished', 0)
if ARGV[8] ~= 'keep' then redis.call('HSET', R, 'intent', '') end
redis.call('LPUSH', L .. ':queue', promotion)
redis.call('SADD', prefix .. ':open', promotion)
note(R, 'verdict', ARGV[9])
audit(by, via, 'resolve', lane, promotion, ARGV[9])
local started = kick(lane)
say(R, 'pending', started == promotion and 'Goes on: ' .. by .. ' has looked' or 'Waiting: the lane is on hold')
return {'ok', started, superseded}
`,
);
