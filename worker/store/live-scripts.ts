import { defineScript } from './script.ts';
import { laneRules } from './scripts/lane-rules.ts';

/** Thirty days: an environment that no lane names any more leaves nothing. */
const keepMs = 30 * 86_400_000;

/**
 * Lets one worker ask about an environment whose time has come. Every question has a number: an answer never replaces
 * that of a later question, and none counts that was asked before a change of the worker's own.
 * KEYS: record, times. ARGV: name, now, milliseconds that the question may take. Answers the number, or ''.
 */
export const claim = defineScript(`
local due = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not due or tonumber(due) > tonumber(ARGV[2]) then return {''} end
redis.call('ZADD', KEYS[2], ARGV[2] + ARGV[3], ARGV[1])
local number = redis.call('HINCRBY', KEYS[1], 'asked', 1)
redis.call('PEXPIRE', KEYS[1], ${keepMs})
return {tostring(number)}
`);

/**
 * Keeps an answer, and writes a change of it into the histories of the lanes. ARGV: prefix, now, name, number of the
 * question, version or '', its commit or '', when to ask next, the version that the caller knows as the answer before
 * ('' for none), what became of that one, lanes. Answers `kept` or `late`. KEYS: record, times.
 */
export const keepAnswer = defineScript(
  laneRules,
  `
local K, number = KEYS[1], tonumber(ARGV[4])
local had = redis.call('HMGET', K, 'answered', 'changed', 'version')
-- Asked before a change of the worker's own: the question after the change is due already.
if number <= math.max(tonumber(had[1] or '0'), tonumber(had[2] or '0')) then return {'late'} end
redis.call('ZADD', KEYS[2], ARGV[7], ARGV[3])
redis.call('HSET', K, 'answered', number, 'version', ARGV[5], 'commit', ARGV[6], 'at', now)
redis.call('HDEL', K, 'failure', 'failingSince', 'failures')
redis.call('PEXPIRE', K, ${keepMs})
if had[3] and had[3] ~= ARGV[5] then
  local data = '{"live":' .. cjson.encode(ARGV[5] ~= '' and ARGV[5] or 'nothing') .. ',"before":' .. cjson.encode(had[3] ~= '' and had[3] or 'nothing')
  if ARGV[9] ~= '' and had[3] == ARGV[8] then data = data .. ',"the one before":' .. cjson.encode(ARGV[9]) end
  for i = 10, #ARGV do
    if redis.call('EXISTS', lane_key(ARGV[i])) == 1 then note(lane_key(ARGV[i]), 'live-changed', data .. '}') end
  end
end
return {'kept'}
`,
);

/**
 * Nothing was learned. ARGV: name, now, number of the question, milliseconds until the next one, the longest such wait,
 * why ('' where the platform was not asked). Each failure in a row doubles the wait. KEYS: record, times.
 */
export const postpone = defineScript(`
local K, now, wait = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[4])
local had = redis.call('HMGET', K, 'answered', 'changed')
if tonumber(ARGV[3]) <= math.max(tonumber(had[1] or '0'), tonumber(had[2] or '0')) then return {'late'} end
if ARGV[6] ~= '' then
  local failures = redis.call('HINCRBY', K, 'failures', 1)
  wait = math.min(wait * 2 ^ (failures - 1), tonumber(ARGV[5]))
  redis.call('HSETNX', K, 'failingSince', now)
  redis.call('HSET', K, 'failure', ARGV[6])
end
redis.call('ZADD', KEYS[2], math.floor(now + wait), ARGV[1])
return {'ok'}
`);

/**
 * The environment was changed: what was asked before no longer counts, and it is to be asked at once. ARGV: name, now,
 * lane that changed it and the version that it brought, both '' where it brought none. KEYS: record, times.
 */
export const changed = defineScript(`
local K = KEYS[1]
redis.call('HSET', K, 'changed', redis.call('HINCRBY', K, 'asked', 1))
if ARGV[3] ~= '' then redis.call('HSET', K, 'broughtBy', ARGV[3], 'brought', ARGV[4]) end
redis.call('ZADD', KEYS[2], 0, ARGV[1])
redis.call('PEXPIRE', K, ${keepMs})
return {'ok'}
`);
