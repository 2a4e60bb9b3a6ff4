--- include: server-time.lua
-- A write went through: the next pause begins at its least again. A pause that lasts still stays.
--
-- KEYS: sorted set of the times of the last hour's writes; hash of the pause.
-- Arguments: now, or nothing.
-- Answers nothing of use.
if tonumber(redis.call('HGET', KEYS[2], 'until') or '0') <= now then redis.call('DEL', KEYS[2]) end
return {'ok'}
