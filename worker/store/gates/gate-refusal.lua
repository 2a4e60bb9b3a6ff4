--- include: ../scripts/lane-rules.lua
-- Approvals and overrides of a freeze require that the promotion still waits, with the commit and version that the person
-- saw. An override is also accepted before the start of an execution.
--
-- Arguments: promotion; commit and version, that the person saw. Defines gate_refusal, which returns nil if nothing is refused.
local function gate_refusal(may_start)
  local R = promotion_key(args.promotion)
  local state = redis.call('HGET', R, 'state')
  if not state then return 'unknown' end
  if state ~= 'queued' and state ~= 'active' then return 'over' end
  local at = step_name(redis.call('HGET', R, 'step'))
  if has_begun(args.promotion) and not (may_start and at == 'start' and (redis.call('HGET', R, 'intent') or '') == '') then return 'begun' end
  local task = task_of(args.promotion)
  local version = version_of(args.promotion)
  if version == '' then return 'no-version' end
  if task.commit ~= args.commit or version ~= args.version then return 'changed' end
  if at ~= 'start' and task.lane.policy ~= 'every' and state == 'active' and redis.call('LLEN', lane_key(redis.call('HGET', R, 'lane')) .. ':queue') > 0 then
    return 'superseded'
  end
  -- A rejection or a cancellation is carried out by the next advance.
  if redis.call('HEXISTS', R, 'cancel') == 1 then return 'ending' end
  return nil
end
