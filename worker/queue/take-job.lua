-- Takes the next job of a queue. `take_next_job` is put before this script (`take-job.ts`).
--
-- KEYS: one of the queue, by which a cluster finds its node.
-- Arguments: queuePrefix, of the queue's keys; token, of the lock of the job; lockMs; at, the time by BullMQ's clock.
-- Answers as `answer_job`.
local args = cjson.decode(ARGV[1])
return answer_job(take_next_job(args.queuePrefix, args))
