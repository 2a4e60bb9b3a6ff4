import { defineScript } from '../script.ts';
import { fenced, laneRules } from './lane-rules.ts';

/**
 * Begins a turn of a promotion: a new fence, so that whoever had the turn before (a frozen process that wakes up again) can
 * change nothing any more. Counts turns that did not end: a promotion that kills its worker must not do so for ever. The
 * record comes with it, read after the fence: what was read before would be somebody else's past. One command, because
 * every look at an execution begins with it.
 *
 * ARGV: prefix, now, promotion, names of the steps that the caller knows (',a,b,', or '' for any), unfinished turns from
 * which on it does not begin. Answers `ok`, or why it did not begin: `over`, `unknown-step`, `suspect`; then the
 * fields and values of the record.
 */
export const begin = defineScript(
  laneRules,
  `
local R = promotion_key(ARGV[3])
local function answer(said)
  local fields = redis.call('HGETALL', R)
  table.insert(fields, 1, said)
  return fields
end
local had = redis.call('HMGET', R, 'lane', 'state', 'step', 'unfinished')
if not had[1] or had[2] ~= 'active' then return answer('over') end
local L = lane_key(had[1])
if redis.call('HGET', L, 'active') ~= ARGV[3] then return answer('over') end
if ARGV[4] ~= '' then
  local step = had[3] and had[3] ~= '' and cjson.decode(had[3]).name or 'resolve'
  if not string.find(ARGV[4], ',' .. step .. ',', 1, true) then return answer('unknown-step') end
end
if ARGV[5] ~= '' and tonumber(had[4] or '0') >= tonumber(ARGV[5]) then return answer('suspect') end
redis.call('HSET', R, 'fence', redis.call('HINCRBY', L, 'fence', 1))
redis.call('HINCRBY', R, 'unfinished', 1)
return answer('ok')
`,
);

/**
 * Records what happened in a turn. ARGV: prefix, now, lane, promotion, fence, kind, what, data, report state, report text,
 * then field–value pairs. Kind `effect`: the write-ahead intent of an outside effect; refused while the lane is held.
 * Kind `note`: adds to the history only.
 * Answers `ok`, `fenced` or `held`, and the sequence of the report.
 */
export const record = defineScript(
  laneRules,
  fenced,
  `
local lane, promotion, fence, kind, what, data = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8]
local R = promotion_key(promotion)
if kind == 'note' then
  note(R, what, data)
  return {'ok', '0'}
end
if not holds_fence(lane, promotion, fence) then return {'fenced', '0'} end
if kind == 'effect' and redis.call('HEXISTS', lane_key(lane), 'hold') == 1 then return {'held', '0'} end
for i = 11, #ARGV, 2 do redis.call('HSET', R, ARGV[i], ARGV[i + 1]) end
if what ~= '' then note(R, what, data) end
if ARGV[10] ~= '' then say(R, ARGV[9], ARGV[10]) end
return {'ok', redis.call('HGET', R, 'reportSeq') or '0'}
`,
);

/** Ends a turn in good order. ARGV: prefix, now, lane, promotion, fence. */
export const rest = defineScript(
  laneRules,
  fenced,
  `
if not holds_fence(ARGV[3], ARGV[4], ARGV[5]) then return {'fenced'} end
redis.call('HSET', promotion_key(ARGV[4]), 'unfinished', 0)
return {'ok'}
`,
);

/**
 * Ends a promotion and gives the lane to the next one. ARGV: prefix, now, lane, promotion, fence, outcome, message, report state,
 * report text, version that is verified now or '', hold or '', state (`following` where lanes come after it).
 * Answers `ok`, the promotion that has the lane now and how many ended as superseded; or `fenced`.
 */
export const finish = defineScript(
  laneRules,
  fenced,
  `
local lane, promotion, fence, outcome, message = ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7]
local version, hold, state = ARGV[10], ARGV[11], ARGV[12]
if not holds_fence(lane, promotion, fence) then return {'fenced'} end
local L, R = lane_key(lane), promotion_key(promotion)
redis.call('HSET', R, 'state', state, 'outcome', outcome, 'message', message, 'endedAt', now, 'unfinished', 0)
say(R, ARGV[8], ARGV[9])
note(R, 'ended', outcome)
if version ~= '' then
  redis.call('HSET', L, 'liveSeq', redis.call('HGET', R, 'seq'), 'liveVersion', version, 'livePromotion', promotion, 'liveAt', now)
  redis.call('HSET', L, 'cancels', 0)
  redis.call('HDEL', L, 'noticed')
  note(L, 'verified', version)
end
if hold ~= '' then
  hold_lane(L, hold)
end
redis.call('HDEL', L, 'active')
local started = kick(lane)
return {'ok', started, superseded}
`,
);
