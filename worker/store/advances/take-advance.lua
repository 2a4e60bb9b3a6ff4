--- include: taken-advance.lua
-- Takes the next job of the queue of advances, and begins its advance. `take_next_job` is put before this script (`take-advance.ts`).
--
-- KEYS: set of the lanes.
-- Arguments: prefix, now; queuePrefix, of the queue's keys; token, of the lock of the job; lockMs; at, the time by BullMQ's
-- clock; steps and quarantineFrom, of `begin_advance`.
-- Answers as `answer_taken`.
return answer_taken(take_next_job(args.queuePrefix, args), args.steps, args.quarantineFrom)
