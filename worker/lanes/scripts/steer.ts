import { defineScript } from '../script.ts';
import { laneRules } from './lane-rules.ts';

/** Gives an idle lane to the next run; for the reconciler. ARGV: prefix, now, lane. */
export const wake = defineScript(laneRules, `return {'ok', kick(ARGV[3])}`);

/** ARGV: prefix, now, lane, hold as JSON. */
export const hold = defineScript(
  laneRules,
  `
local L = lane_key(ARGV[3])
if redis.call('EXISTS', L) == 0 then return {'unknown'} end
redis.call('HSET', L, 'hold', ARGV[4])
note(L, 'held', ARGV[4])
return {'ok'}
`,
);

/** ARGV: prefix, now, lane, by. Answers the run that goes on now. */
export const release = defineScript(
  laneRules,
  `
local L = lane_key(ARGV[3])
if redis.call('EXISTS', L) == 0 then return {'unknown', ''} end
if redis.call('HDEL', L, 'hold') == 0 then return {'not-held', ''} end
note(L, 'released', ARGV[4])
local started = kick(ARGV[3])
return {'ok', started ~= '' and started or (redis.call('HGET', L, 'active') or '')}
`,
);

/**
 * Asks a run to end. One that waits ends at once; an active one is told and ends in its next turn, after it has
 * terminated what runs on the platform. ARGV: prefix, now, run, by.
 */
export const cancel = defineScript(
  laneRules,
  `
local R = run_key(ARGV[3])
local state = redis.call('HGET', R, 'state')
if not state then return {'unknown'} end
if state == 'queued' then
  redis.call('LREM', lane_key(redis.call('HGET', R, 'lane')) .. ':queue', 0, ARGV[3])
  redis.call('HSET', R, 'state', 'finished', 'outcome', 'cancelled', 'message', 'Cancelled by ' .. ARGV[4], 'endedAt', now)
  say(R, 'error', 'Cancelled by ' .. ARGV[4] .. ' before it began')
  note(R, 'cancelled', ARGV[4])
  return {'ended'}
end
if state ~= 'active' then return {'over'} end
redis.call('HSETNX', R, 'cancel', 'cancelled by ' .. ARGV[4])
note(R, 'cancel-asked', ARGV[4])
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
