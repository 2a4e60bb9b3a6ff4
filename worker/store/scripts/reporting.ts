import { defineScript } from '../script.ts';
import { laneRules } from './lane-rules.ts';

/**
 * Takes the report of a promotion: one sender at a time, so that an older status never lands after a newer one.
 * ARGV: prefix, now, promotion, until when the sender has it.
 * Answers `send`, sequence, state, text; or `busy`, or `nothing`.
 */
export const takeReport = defineScript(
  laneRules,
  `
local R = promotion_key(ARGV[3])
local seq = tonumber(redis.call('HGET', R, 'reportSeq') or '0')
local done = tonumber(redis.call('HGET', R, 'reported') or '0')
if seq <= done then return {'nothing'} end
local until_ = tonumber(redis.call('HGET', R, 'reportingUntil') or '0')
if until_ > tonumber(now) then return {'busy'} end
redis.call('HSET', R, 'reportingUntil', ARGV[4], 'reporting', seq)
return {'send', tostring(seq), redis.call('HGET', R, 'reportState'), redis.call('HGET', R, 'reportText')}
`,
);

/**
 * ARGV: prefix, now, promotion, sequence that was sent ('' where it could not be), until when the sender had it ('' for one
 * that sent nothing). Answers whether more is to be sent. `late`: somebody else had the report since, because this sender was
 * frozen; what it sent may have landed after what the other said, so all is to be said anew.
 */
export const giveReport = defineScript(
  laneRules,
  `
local R = promotion_key(ARGV[3])
if redis.call('EXISTS', R) == 0 then return {'done'} end
if ARGV[5] ~= '' and (redis.call('HGET', R, 'reportingUntil') or '') ~= ARGV[5] then
  redis.call('HINCRBY', R, 'reportSeq', 1)
  redis.call('SADD', prefix .. ':open', ARGV[3])
  return {'late'}
end
redis.call('HDEL', R, 'reportingUntil')
if ARGV[4] ~= '' then
  redis.call('HSET', R, 'reported', ARGV[4])
  redis.call('HDEL', R, 'reporting')
end
return {tonumber(redis.call('HGET', R, 'reportSeq') or '0') > tonumber(redis.call('HGET', R, 'reported') or '0') and 'more' or 'done'}
`,
);

/** Lets go of a promotion that is over and reported; for good. ARGV: prefix, now, promotion. */
export const close = defineScript(
  laneRules,
  `
local R = promotion_key(ARGV[3])
if redis.call('HGET', R, 'state') ~= 'finished' then return {'open'} end
if tonumber(redis.call('HGET', R, 'reported') or '0') < tonumber(redis.call('HGET', R, 'reportSeq') or '0') then return {'open'} end
redis.call('SREM', prefix .. ':open', ARGV[3])
return {'closed'}
`,
);

/** Says in a promotion's history what became of its report. ARGV: prefix, now, promotion, what, data. */
export const noteReport = defineScript(
  laneRules,
  `
if redis.call('EXISTS', promotion_key(ARGV[3])) == 1 then note(promotion_key(ARGV[3]), ARGV[4], ARGV[5]) end
return {'ok'}
`,
);
