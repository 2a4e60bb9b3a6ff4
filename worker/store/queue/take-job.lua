--- include: last-job.lua
-- Takes the next job of a queue.
--
-- `move_to_active` is BullMQ's own script, put before this one (`bullmq-functions.ts`): it takes the job.
--
-- KEYS: the eleven of the queue, in the order of BullMQ's script.
-- Arguments: queuePrefix, of the queue's keys; token, of the lock of the job; lockMs; at, the time by BullMQ's clock.
-- Answers the id of the job or '', the milliseconds for which the queue is limited, when the next job is due, `1` if no other
-- job waits, and the fields and values of the job as JSON: a client reads a long list much more slowly.
local args = cjson.decode(ARGV[1])
local options = cmsgpack.pack({token = args.token, lockDuration = args.lockMs})
local taken = move_to_active(KEYS, {args.queuePrefix, string.format('%.0f', args.at), options})
local job = type(taken[1]) == 'table' and taken[1]
if not job then return {'', string.format('%.0f', taken[3]), string.format('%.0f', math.floor(taken[4])), '', ''} end
local fields = {}
for i = 1, #job, 2 do fields[job[i]] = job[i + 1] end
local due = next_due(args.queuePrefix)
return {taken[2], 0, string.format('%.0f', due or 0), due and '1' or '', cjson.encode(fields)}
