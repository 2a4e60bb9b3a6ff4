import { defineScript } from '../script.ts';
import { laneRules } from './lane-rules.ts';
import { auditRule } from './steer.ts';

/**
 * What both acts ask first: the promotion still waits for its promotion, with the very commit and version that the person
 * saw. Whoever looked at something else has not let this through. An override may come for an execution's start, too.
 */
const waitingRule = `
local function why_not(promotion, commit, version, may_start)
  local R = promotion_key(promotion)
  local state = redis.call('HGET', R, 'state')
  if not state then return 'unknown' end
  if state ~= 'queued' and state ~= 'active' then return 'over' end
  local step = redis.call('HGET', R, 'step')
  local at = step and step ~= '' and cjson.decode(step).name or 'resolve'
  if has_begun(promotion) and not (may_start and at == 'start' and (redis.call('HGET', R, 'intent') or '') == '') then return 'begun' end
  local plan = cjson.decode(redis.call('HGET', R, 'plan'))
  if (redis.call('HGET', R, 'version') or '') == '' then return 'no-version' end
  if plan.commit ~= commit or redis.call('HGET', R, 'version') ~= version then return 'changed' end
  if at ~= 'start' and plan.lane.policy ~= 'every' and state == 'active' and redis.call('LLEN', lane_key(plan.lane.id) .. ':queue') > 0 then
    return 'superseded'
  end
  return nil
end
`;

/**
 * One person's approval of a promotion, its commit and its version. ARGV: prefix, now, promotion, commit, version, person,
 * approval as JSON, by, via, `1` for a dry run, which writes nothing. Answers `ok`, `already`, or why it does not count.
 */
export const approve = defineScript(
  laneRules,
  auditRule,
  waitingRule,
  `
local no = why_not(ARGV[3], ARGV[4], ARGV[5], false)
if no then return {no} end
local R, field = promotion_key(ARGV[3]), 'approval:' .. ARGV[6]
local before = redis.call('HGET', R, field)
if before then
  local known = cjson.decode(before)
  if known.commit == ARGV[4] and known.version == ARGV[5] then return {'already'} end
end
if ARGV[10] == '1' then return {'ok'} end
redis.call('HSET', R, field, ARGV[7])
note(R, 'approved', ARGV[7])
audit(ARGV[8], ARGV[9], 'approve', redis.call('HGET', R, 'lane'), ARGV[3], ARGV[7])
return {'ok'}
`,
);

/**
 * Lets one promotion, with its commit and its version, through freezes. ARGV: prefix, now, promotion, commit, version, override as
 * JSON, by, via. Answers `ok`, or why not.
 */
export const overrideFreeze = defineScript(
  laneRules,
  auditRule,
  waitingRule,
  `
local no = why_not(ARGV[3], ARGV[4], ARGV[5], true)
if no then return {no} end
local R = promotion_key(ARGV[3])
redis.call('HSET', R, 'override', ARGV[6])
note(R, 'freeze-overridden', ARGV[6])
audit(ARGV[7], ARGV[8], 'override-freeze', redis.call('HGET', R, 'lane'), ARGV[3], ARGV[6])
return {'ok'}
`,
);

/**
 * A version was taken out of the target. What the lane has verified stays what it has verified, and so does the
 * sequence, so that nothing older is promoted again (promise 4); what is live is the platform's to say. ARGV: prefix, now, lane, version that went, version that is live, by, via, reason as
 * JSON; `via` of the worker itself writes no audit.
 */
export const rolledBack = defineScript(
  laneRules,
  auditRule,
  `
local L = lane_key(ARGV[3])
-- Found after a loss, and gone: a push of its commit must not count as there already.
if redis.call('HGET', L, 'livePromotion') == '' and redis.call('HGET', L, 'liveVersion') == ARGV[4] then
  redis.call('HDEL', L, 'liveVersion', 'livePromotion', 'liveCommit', 'liveAt')
end
redis.call('HSET', L, 'noticed', ARGV[4])
note(L, 'rolled-back', ARGV[8])
if ARGV[7] ~= 'worker' then audit(ARGV[6], ARGV[7], 'rolled-back', ARGV[3], '', ARGV[8]) end
return {'ok'}
`,
);

/** Tells promotions that are not over who pushed their commit, once. ARGV: prefix, now, lane, ref, commit, pusher as JSON. */
export const learnPusher = defineScript(
  laneRules,
  `
local L = lane_key(ARGV[3])
local ids = redis.call('LRANGE', L .. ':queue', 0, -1)
table.insert(ids, redis.call('HGET', L, 'active') or '')
for _, id in ipairs(ids) do
  local text = redis.call('HGET', promotion_key(id), 'plan')
  local plan = text and cjson.decode(text)
  if plan and plan.ref == ARGV[4] and plan.commit == ARGV[5] and not plan.pusher then
    redis.call('HSETNX', promotion_key(id), 'pusher', ARGV[6])
  end
end
return {'ok'}
`,
);
