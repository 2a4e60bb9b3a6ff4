import { defineScript } from '../script.ts';
import { laneRules } from './lane-rules.ts';

/** Who did what, on what, why: only ever appended to. In the same step as the act itself, so that none is without the other. */
export const auditRule = `
local function audit(by, via, act, lane, promotion, data)
  redis.call('XADD', prefix .. ':audit', '*', 'at', now, 'by', by, 'via', via, 'act', act, 'lane', lane, 'promotion', promotion, 'data', data)
end
`;

/** Gives idle lanes to their next promotions; for the reconciler. ARGV: prefix, now, lanes. Answers how many ended as superseded, then who has a lane now. */
export const wake = defineScript(
  laneRules,
  `
local started = {}
for i = 3, #ARGV do
  local id = kick(ARGV[i])
  if id ~= '' then table.insert(started, id) end
end
return {superseded, unpack(started)}
`,
);

/**
 * Which of some promotions need the reconciler: all but those that have a turn to come and nothing to report. It asks for
 * every open promotion again and again, and there may be a hundred thousand that only wait for their executions.
 * ARGV: prefix, now, what the keys of their jobs begin with, promotions.
 */
export const needy = defineScript(
  laneRules,
  `
local found = {}
for i = 4, #ARGV do
  local had = redis.call('HMGET', promotion_key(ARGV[i]), 'state', 'reportSeq', 'reported')
  local waits = (had[1] == 'active' or had[1] == 'following')
    and tonumber(had[2] or '0') <= tonumber(had[3] or '0')
    and redis.call('EXISTS', ARGV[3] .. ARGV[i]) == 1
  if not waits then table.insert(found, ARGV[i]) end
end
return found
`,
);

/** More reasons for a hold than a person reads; what the worker itself finds out is never turned away. */
const mostHolds = 50;

/**
 * ARGV: prefix, now, lane, hold as JSON, by, via, version that was seen to be gone or ''. Answers `ok`, `unknown`,
 * `noticed` or `full`.
 */
export const hold = defineScript(
  laneRules,
  auditRule,
  `
local L = lane_key(ARGV[3])
if redis.call('EXISTS', L) == 0 then return {'unknown'} end
if ARGV[7] ~= '' then
  if redis.call('HGET', L, 'noticed') == ARGV[7] then return {'noticed'} end
  redis.call('HSET', L, 'noticed', ARGV[7])
end
if ARGV[6] ~= 'worker' and #holds_of(L) >= ${mostHolds} then return {'full'} end
hold_lane(L, ARGV[4])
audit(ARGV[5], ARGV[6], 'hold', ARGV[3], '', ARGV[4])
return {'ok'}
`,
);

/**
 * Holds a lane for a roll-back by hand, unless a promotion is at work in its target: one step, so that no effect begins in
 * between. ARGV: prefix, now, lane, hold as JSON, by, via. Answers `ok`, `unknown`, or `at-work` and the promotion.
 */
export const holdForRollBack = defineScript(
  laneRules,
  auditRule,
  `
local L = lane_key(ARGV[3])
if redis.call('EXISTS', L) == 0 then return {'unknown', ''} end
local active = redis.call('HGET', L, 'active')
if active and has_begun(active) then return {'at-work', active} end
hold_lane(L, ARGV[4])
audit(ARGV[5], ARGV[6], 'hold', ARGV[3], '', ARGV[4])
return {'ok', ''}
`,
);

/**
 * Takes back the holds that a person saw; one that came meanwhile stays. ARGV: prefix, now, lane, by, via, reason, ids
 * of the holds as JSON, or '' for all. Answers `ok`, the promotion that goes on now, what was lifted and what is left as
 * JSON, and how many promotions ended as superseded; or `unknown`, `not-held`.
 */
export const resume = defineScript(
  laneRules,
  auditRule,
  `
local L = lane_key(ARGV[3])
if redis.call('EXISTS', L) == 0 then return {'unknown', ''} end
local seen = {}
for _, id in ipairs(ARGV[7] ~= '' and cjson.decode(ARGV[7]) or {}) do seen[id] = true end
local lifted, left = lift_holds(L, function(one) return ARGV[7] == '' or seen[one.id] end)
if #lifted == 0 then return {'not-held', ''} end
local said = lifted_as_json(ARGV[4], ARGV[5], ARGV[6], lifted)
note(L, 'resumed', said)
audit(ARGV[4], ARGV[5], 'resume', ARGV[3], '', said)
local goes_on = ''
if #left == 0 then
  goes_on = kick(ARGV[3])
  if goes_on == '' then goes_on = redis.call('HGET', L, 'active') or '' end
end
return {'ok', goes_on, cjson.encode(lifted), #left > 0 and cjson.encode(left) or '[]', superseded}
`,
);

/**
 * Asks a promotion to end. One that waits ends at once; an active one is told and ends in its next turn, after it has
 * terminated what runs on the platform. ARGV: prefix, now, promotion, by, via, who or what ends it in words.
 */
export const cancel = defineScript(
  laneRules,
  auditRule,
  `
local R = promotion_key(ARGV[3])
local state = redis.call('HGET', R, 'state')
if not state then return {'unknown'} end
local lane = redis.call('HGET', R, 'lane')
local said = '{"by":' .. cjson.encode(ARGV[4]) .. ',"via":' .. cjson.encode(ARGV[5]) ..
  (ARGV[6] ~= ARGV[4] and ',"why":' .. cjson.encode(ARGV[6]) or '') .. '}'
-- One that was taken up again and waits has begun: it ends in its turn, as an active one.
if state == 'queued' and not has_begun(ARGV[3]) then
  redis.call('LREM', lane_key(lane) .. ':queue', 0, ARGV[3])
  redis.call('HSET', R, 'state', 'finished', 'outcome', 'cancelled', 'message', 'Cancelled by ' .. ARGV[6], 'endedAt', now)
  say(R, 'error', 'Cancelled by ' .. ARGV[6] .. ' before it began')
  note(R, 'cancelled', said)
  audit(ARGV[4], ARGV[5], 'cancel', lane, ARGV[3], said)
  return {'ended'}
end
if state ~= 'active' and state ~= 'queued' then return {'over'} end
redis.call('HSETNX', R, 'cancel', 'cancelled by ' .. ARGV[6])
note(R, 'cancel-asked', said)
audit(ARGV[4], ARGV[5], 'cancel', lane, ARGV[3], said)
return {'asked'}
`,
);

/** A promotion whose lanes to follow have been told. ARGV: prefix, now, promotion. */
export const followed = defineScript(
  laneRules,
  `
local R = promotion_key(ARGV[3])
if redis.call('HGET', R, 'state') == 'following' then redis.call('HSET', R, 'state', 'finished') end
return {'ok'}
`,
);
