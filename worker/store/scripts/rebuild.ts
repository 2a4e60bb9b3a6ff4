import { defineScript } from '../script.ts';
import { laneRules } from './lane-rules.ts';

/**
 * Makes the record of a lane anew after the records were lost, or finds it made already; it is held either way, until
 * a person has looked (promise 11). What is live in the target is written down for people; it has the sequence 0, so
 * that any push is newer. ARGV: prefix, now, lane, hold as JSON, version that is live or '', its commit or '', then
 * field–value pairs.
 */
export const rebuild = defineScript(
  laneRules,
  `
local L = lane_key(ARGV[3])
for i = 7, #ARGV, 2 do redis.call('HSETNX', L, ARGV[i], ARGV[i + 1]) end
redis.call('HSETNX', L, 'seq', 0)
redis.call('SADD', prefix .. ':lanes', ARGV[3])
if ARGV[5] ~= '' and redis.call('HSETNX', L, 'liveVersion', ARGV[5]) == 1 then
  redis.call('HSET', L, 'liveSeq', 0, 'livePromotion', '', 'liveAt', now, 'liveCommit', ARGV[6])
  -- What stands before it in the history has been through, or was passed by.
  if ARGV[6] ~= '' then redis.call('HSETNX', L, 'lastCommit', ARGV[6]) end
end
hold_lane(L, ARGV[4])
return {'ok'}
`,
);

/**
 * Claims that the records are those of the marker `known`, or were lost. ARGV: prefix, now, what the caller knows (''
 * at its start), new marker, `lost` where an empty Redis at the start means a loss, hold as JSON, then the repositories
 * whose lanes are to be made anew. Answers the marker that holds now, and `same`, `new` or `lost`.
 */
export const claim = defineScript(
  laneRules,
  `
local state, was = prefix .. ':state', prefix .. ':state:was'
local marker, known, fresh = redis.call('GET', state), ARGV[3], ARGV[4]
if marker and (known == '' or marker == known) then return {marker, 'same'} end
-- Another worker has found the loss and sees to it.
if marker and redis.call('SISMEMBER', was, known) == 1 then return {marker, 'same'} end
local lost = known ~= '' or ARGV[5] == 'lost' or redis.call('EXISTS', prefix .. ':lanes') == 1
local id = (lost and 'lost-' or 'new-') .. fresh
redis.call('SET', state, id)
if not lost then return {id, 'new'} end
for _, gone in ipairs({known, marker or ''}) do
  if gone ~= '' then redis.call('SADD', was, gone) end
end
-- An older state that came back has lanes that no millrace.yaml of today may name.
for _, lane in ipairs(redis.call('SMEMBERS', prefix .. ':lanes')) do hold_lane(lane_key(lane), ARGV[6]) end
for i = 7, #ARGV do redis.call('SADD', prefix .. ':rebuilding', ARGV[i]) end
redis.call('SET', prefix .. ':sweep:asked', now, 'EX', 86400)
return {id, 'lost'}
`,
);
