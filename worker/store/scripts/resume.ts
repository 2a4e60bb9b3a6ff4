import { defineScript } from '../script.ts';
import { laneRules } from './lane-rules.ts';
import { auditRule } from './steer.ts';

/**
 * Takes a run that ended as indeterminate up again, at the step that somebody has said it stands at. It stands before
 * all that wait; the hold that it set itself is lifted, any other one stays.
 * ARGV: prefix, now, lane, run, by, via, step as JSON, intent (`keep` or ''), what was said as JSON.
 * Answers `ok`, the run that has the lane now and how many ended as superseded; or `not-indeterminate`, `busy`, `passed-by`.
 */
export const resume = defineScript(
  laneRules,
  auditRule,
  `
local lane, run, by, via = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local L, R = lane_key(lane), run_key(run)
if redis.call('HGET', R, 'state') ~= 'finished' or redis.call('HGET', R, 'outcome') ~= 'indeterminate' then return {'not-indeterminate', ''} end
if redis.call('HEXISTS', L, 'active') == 1 then return {'busy', ''} end
if tonumber(redis.call('HGET', R, 'seq') or '0') <= tonumber(redis.call('HGET', L, 'liveSeq') or '0') then return {'passed-by', ''} end
local released = release_holds(L, function(one) return one.cause == 'indeterminate' and one.run == run end)
if #released > 0 then note(L, 'released', release_as_json(by, via, 'the run was settled', released)) end
redis.call('HDEL', R, 'outcome', 'message', 'endedAt', 'cancel')
redis.call('HSET', R, 'state', 'queued', 'step', ARGV[7], 'unfinished', 0)
if ARGV[8] ~= 'keep' then redis.call('HSET', R, 'intent', '') end
redis.call('LPUSH', L .. ':queue', run)
redis.call('SADD', prefix .. ':open', run)
note(R, 'settled', ARGV[9])
audit(by, via, 'settle', lane, run, ARGV[9])
local started = kick(lane)
say(R, 'pending', started == run and 'Goes on: ' .. by .. ' has looked' or 'Waiting: the lane is on hold')
return {'ok', started, superseded}
`,
);
