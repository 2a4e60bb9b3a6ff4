import { defineScript } from './script.ts';
import { laneRules } from './scripts/lane-rules.ts';
import { auditRule } from './scripts/steer.ts';

/**
 * Sets a dead letter out to be replayed and writes down who did, in one step; from then on the replay is under way,
 * whoever sees to it. ARGV: prefix, now, letter, by, via, lane, promotion, data. Answers the letter, or '' where another was
 * first.
 */
export const setOut = defineScript(
  laneRules,
  auditRule,
  `
local text = redis.call('GET', prefix .. ':dead:' .. ARGV[3])
if redis.call('ZREM', prefix .. ':dead', ARGV[3]) == 0 or not text then return {''} end
redis.call('DEL', prefix .. ':dead:' .. ARGV[3])
redis.call('HSET', prefix .. ':replaying', ARGV[3], text)
audit(ARGV[4], ARGV[5], 'replay', ARGV[6], ARGV[7], ARGV[8])
return {text}
`,
);
