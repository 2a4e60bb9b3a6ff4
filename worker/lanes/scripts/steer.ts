import { defineScript } from '../script.ts';
import { laneRules } from './lane-rules.ts';

/** Who did what, on what, why: only ever appended to. In the same step as the act itself, so that none is without the other. */
export const auditRule = `
local function audit(by, via, act, lane, run, data)
  redis.call('XADD', prefix .. ':audit', '*', 'at', now, 'by', by, 'via', via, 'act', act, 'lane', lane, 'run', run, 'data', data)
end
`;

/** Gives an idle lane to the next run; for the reconciler. ARGV: prefix, now, lane. Answers it, and how many ended as superseded. */
export const wake = defineScript(
  laneRules,
  `local started = kick(ARGV[3]) return {'ok', started, superseded}`,
);

/** An act that its own record tells of already (a retry makes a run). ARGV: prefix, now, by, via, act, lane, run, data. */
export const note = defineScript(
  laneRules,
  auditRule,
  `
audit(ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8])
return {'ok'}
`,
);

/** ARGV: prefix, now, lane, hold as JSON, by, via, version that was seen to be gone or ''. */
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
hold_lane(L, ARGV[4])
audit(ARGV[5], ARGV[6], 'hold', ARGV[3], '', ARGV[4])
return {'ok'}
`,
);

/** ARGV: prefix, now, lane, by, via, reason as JSON. Answers the run that goes on now, and how many ended as superseded. */
export const release = defineScript(
  laneRules,
  auditRule,
  `
local L = lane_key(ARGV[3])
if redis.call('EXISTS', L) == 0 then return {'unknown', ''} end
if redis.call('HDEL', L, 'hold') == 0 then return {'not-held', ''} end
note(L, 'released', ARGV[4])
audit(ARGV[4], ARGV[5], 'release', ARGV[3], '', ARGV[6])
local started = kick(ARGV[3])
return {'ok', started ~= '' and started or (redis.call('HGET', L, 'active') or ''), superseded}
`,
);

/**
 * Asks a run to end. One that waits ends at once; an active one is told and ends in its next turn, after it has
 * terminated what runs on the platform. ARGV: prefix, now, run, by, via.
 */
export const cancel = defineScript(
  laneRules,
  auditRule,
  `
local R = run_key(ARGV[3])
local state = redis.call('HGET', R, 'state')
if not state then return {'unknown'} end
local lane = redis.call('HGET', R, 'lane')
if state == 'queued' then
  redis.call('LREM', lane_key(lane) .. ':queue', 0, ARGV[3])
  redis.call('HSET', R, 'state', 'finished', 'outcome', 'cancelled', 'message', 'Cancelled by ' .. ARGV[4], 'endedAt', now)
  say(R, 'error', 'Cancelled by ' .. ARGV[4] .. ' before it began')
  note(R, 'cancelled', ARGV[4])
  audit(ARGV[4], ARGV[5], 'cancel', lane, ARGV[3], '')
  return {'ended'}
end
if state ~= 'active' then return {'over'} end
redis.call('HSETNX', R, 'cancel', 'cancelled by ' .. ARGV[4])
note(R, 'cancel-asked', ARGV[4])
audit(ARGV[4], ARGV[5], 'cancel', lane, ARGV[3], '')
return {'asked'}
`,
);

/** A run whose lanes to follow have been told. ARGV: prefix, now, run. */
export const followed = defineScript(
  laneRules,
  `
local R = run_key(ARGV[3])
if redis.call('HGET', R, 'state') == 'following' then redis.call('HSET', R, 'state', 'finished') end
return {'ok'}
`,
);
