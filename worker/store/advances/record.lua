--- include: ../gates/pauses.lua
--- include: ../scripts/epoch.lua
--- include: ../scripts/entries.lua
-- Records what an advance of a promotion did.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now, lane, promotion, fence; rest, of `record_rest`.
--   kind: `effect`, the intent of an outside effect, recorded before it; refused while the lane is held, while a
--     pause covers the promotion or once its end was requested, unless it is part of a roll-back, and while the records of
--     the lane are being compared after a restart of Redis. `note`, for the history only. `state`, everything else.
--   what, data, fields and report, of `record_entry`; plan, of an effect: the digest of the plan that it follows, or nothing.
--     Refused as `held` if the record has another plan.
-- Answers `ok`, `fenced` or `held`, and the sequence of the report.
local R = promotion_key(args.promotion)
if args.kind == 'note' then
  append_promotion_history(R, args.what, args.data)
  return {'ok', 0}
end
if not holds_fence() then return {'fenced', 0} end
record_rest()
if args.kind == 'effect' then
  if args.memory then
    begin_epoch()
    if is_being_checked(args.lane) then return {'held', 0} end
  end
  if args.plan and redis.call('HGET', R, 'planDigest') ~= args.plan then return {'held', 0} end
  if redis.call('HEXISTS', lane_key(args.lane), 'hold') == 1 then return {'held', 0} end
  local at = step_name(redis.call('HGET', R, 'step'))
  -- What began before may still be terminated and rolled back.
  if at ~= 'watch' and at ~= 'roll-back' then
    if is_paused(args.promotion) then return {'held', 0} end
    -- The promotion was rejected or cancelled since this advance read the record: the next advance ends it.
    if (redis.call('HGET', R, 'intent') or '') == '' and redis.call('HEXISTS', R, 'cancel') == 1 then return {'held', 0} end
  end
end
record_entry(args.promotion, args)
if args.what == 'intend-promote' or args.what == 'intend-enable' then take_place(args.promotion) end
return {'ok', redis.call('HGET', R, 'reportSeq') or 0}
