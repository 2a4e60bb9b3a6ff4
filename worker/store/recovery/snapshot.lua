-- All records at one moment: nothing else runs in Redis during a script. It only reads.
--
-- KEYS: the marker of the records.
-- Arguments: pattern, of the names of all keys.
-- Answers for each key its name, the milliseconds until it expires (negative: never), and its content as DUMP gives it.
local args = cjson.decode(ARGV[1])
local answer, seen, cursor = {}, {}, '0'
repeat
  local page = redis.call('SCAN', cursor, 'MATCH', args.pattern, 'COUNT', 1000)
  cursor = page[1]
  for _, key in ipairs(page[2]) do
    local dump = not seen[key] and redis.call('DUMP', key)
    if dump then
      table.insert(answer, key)
      table.insert(answer, redis.call('PTTL', key))
      table.insert(answer, dump)
    end
    seen[key] = true
  end
until cursor == '0'
return answer
