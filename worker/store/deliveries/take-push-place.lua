--- include: push-places.lua
-- Takes the last place in the order of a repository's pushes.
--
-- KEYS: sorted set of the places.
-- Arguments: job, the id of the push's job.
-- Answers `ok`.
local args = cjson.decode(ARGV[1])

take_push_place(KEYS[1], args.job)
return {'ok'}
