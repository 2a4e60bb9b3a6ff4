-- Adds the job that advances a promotion, unless there is one.
--
-- `add_standard_job` is BullMQ's own script, put before this one (`bullmq-functions.ts`). BullMQ would store the id of the job
-- in its options, too: without it they are so short that Redis keeps the job in half of the memory.
--
-- KEYS: the nine of the queue, in the order of BullMQ's script.
-- Arguments: queuePrefix, of the queue's keys; job, its id; data, as JSON; at, the time by BullMQ's clock.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])
local options = cmsgpack.pack({removeOnComplete = true, removeOnFail = true})
add_standard_job(KEYS, {cmsgpack.pack({args.queuePrefix, args.job, 'advance', args.at}), args.data, options})
return {'ok'}
