import { defineScript } from '../script.ts';
import { laneRules } from './lane-rules.ts';

/**
 * Makes the record of a lane anew after the records were lost, or finds it made already; it is held either way, until
 * a person has looked (promise 11). What is live in the target is written down for people; it has the sequence 0, so
 * that any push is newer. ARGV: prefix, now, lane, hold as JSON, version that is live or '', then field–value pairs.
 */
export const rebuild = defineScript(
  laneRules,
  `
local L = lane_key(ARGV[3])
for i = 6, #ARGV, 2 do redis.call('HSETNX', L, ARGV[i], ARGV[i + 1]) end
redis.call('HSETNX', L, 'seq', 0)
redis.call('SADD', prefix .. ':lanes', ARGV[3])
if ARGV[5] ~= '' and redis.call('HSETNX', L, 'liveVersion', ARGV[5]) == 1 then
  redis.call('HSET', L, 'liveSeq', 0, 'liveRun', '', 'liveAt', now)
end
if redis.call('HSETNX', L, 'hold', ARGV[4]) == 1 then note(L, 'held', ARGV[4]) end
return {'ok'}
`,
);

/**
 * Claims that the records are those of the marker `known`, or were lost. KEYS: marker, lanes, repositories to rebuild.
 * ARGV: what the caller knows ('' at its start), new marker, `lost` where an empty Redis at the start means a loss,
 * then the repositories. Answers the marker that holds now, and `same`, `new` or `lost`.
 */
export const claim = defineScript(`
local marker, known, fresh = redis.call('GET', KEYS[1]), ARGV[1], ARGV[2]
if marker and (known == '' or marker == known) then return {marker, 'same'} end
-- Another worker has found the loss and sees to it.
if marker and string.sub(marker, 1, 5) == 'lost-' then return {marker, 'same'} end
local lost = known ~= '' or ARGV[3] == 'lost' or redis.call('EXISTS', KEYS[2]) == 1
local id = (lost and 'lost-' or 'new-') .. fresh
redis.call('SET', KEYS[1], id)
if not lost then return {id, 'new'} end
for i = 4, #ARGV do redis.call('SADD', KEYS[3], ARGV[i]) end
return {id, 'lost'}
`);
