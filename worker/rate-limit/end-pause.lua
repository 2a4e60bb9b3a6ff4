--- include: server-time.lua
-- A write succeeded: the next pause starts with the shortest time again. A pause that has not ended remains.
--
-- KEYS: sorted set of the times of the last hour's writes; hash of the pause.
-- Arguments: now, or nothing.
-- Answers `ok`.
if tonumber(redis.call('HGET', KEYS[2], 'until') or '0') <= now then redis.call('DEL', KEYS[2]) end
return {'ok'}
