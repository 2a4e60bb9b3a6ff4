--- include: ../scripts/epoch.lua
-- Raises the format of the records to the format of the caller, if the records have an older one. Records without a format
-- have the first one.
-- Compares the marker of the records with the one that the caller knows: another one means that the records were lost.
--
-- KEYS: the marker.
-- Arguments: prefix, now, format; version, of Millrace; known, the marker that the caller knows, '' at its start; fresh, of a new marker; emptyMeans,
-- `lost` if an empty Redis at the start means a loss, otherwise `new`; hold, as JSON; repositories, ids of those whose
-- lanes are to be rebuilt; repository, one about which the caller asks, or nothing.
-- Answers the marker that holds now, and `same`, `new` or `lost`; then the format that was raised, or 0; and 1 if the lanes of
-- the repository are not rebuilt yet, otherwise 0.
begin_epoch()
local raised = 0
if stored_format < args.format then
  if stored_format > 0 then raised = stored_format end
  redis.call('HSET', format_key, 'number', args.format, 'version', args.version, 'since', now)
end
local rebuilding = prefix .. ':rebuilding'
local function answer(marker, status)
  return {marker, status, raised, args.repository and redis.call('SISMEMBER', rebuilding, args.repository) or 0}
end
local state, was = KEYS[1], prefix .. ':state:was'
local marker, known = redis.call('GET', state), args.known
if marker and (known == '' or marker == known) then return answer(marker, 'same') end
-- Another worker has found the loss and handles it.
if marker and redis.call('SISMEMBER', was, known) == 1 then return answer(marker, 'same') end
local lost = known ~= '' or args.emptyMeans == 'lost' or redis.call('EXISTS', prefix .. ':lanes') == 1
local id = (lost and 'lost-' or 'new-') .. args.fresh
redis.call('SET', state, id)
if not lost then return answer(id, 'new') end
for _, earlier in ipairs({known, marker or ''}) do
  if earlier ~= '' then redis.call('SADD', was, earlier) end
end
-- All lanes are held anyway.
redis.call('DEL', unchecked)
-- A restored older state may have lanes that no current millrace.yaml names.
for _, lane in ipairs(redis.call('SMEMBERS', prefix .. ':lanes')) do hold_lane(lane_key(lane), args.hold) end
for _, repository in ipairs(args.repositories) do redis.call('SADD', rebuilding, repository) end
redis.call('SET', prefix .. ':sweep:requested', now, 'EX', 86400)
return answer(id, 'lost')
