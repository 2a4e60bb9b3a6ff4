--- include: taken-job.lua
-- Takes the next job of the queue of advances, and begins its advance.
--
-- `move_to_active` is BullMQ's own script, put before this one (`bullmq-functions.ts`): it takes the job.
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; queuePrefix, of the queue's keys; token, of the lock of the job; lockMs; at, the time by BullMQ's
-- clock; steps and quarantineFrom, of `begin_advance`.
-- Answers as `answer_taken`.
local keys = {}
for i, name in ipairs({'wait', 'active', 'prioritized', 'events', 'stalled', 'limiter', 'delayed', 'paused', 'meta', 'pc', 'marker'}) do
  keys[i] = args.queuePrefix .. name
end
local options = cmsgpack.pack({token = args.token, lockDuration = args.lockMs})
local taken = move_to_active(keys, {args.queuePrefix, string.format('%.0f', args.at), options})
return answer_taken(taken, args.queuePrefix, args.steps, args.quarantineFrom)
