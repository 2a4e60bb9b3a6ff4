import type { Redis } from 'ioredis';

/** The rights that an ACL user of the worker needs, in the form of `ACL SETUSER`. `deploy.md` lists them too. */
export const neededRights =
  '~{millrace}:* -@all +@connection +@string +@hash +@list +@set +@sortedset +@stream -@dangerous +del +unlink +exists +type +rename +expire +pexpire +pexpireat +persist +pttl +eval +evalsha +multi +exec +wait +time +info';

/** Further rights that are needed on a cluster. */
export const neededOnCluster = '+cluster|slots +cluster|info +cluster|nodes +readonly +asking';

/** The commands in the scripts of Millrace and BullMQ, each in its shortest form. K is a key. */
export const commandsOfScripts = `
DEL K, UNLINK K, EXISTS K, TYPE K, RENAME K K, EXPIRE K 1, PEXPIRE K 1000, PEXPIREAT K 1, PERSIST K, PTTL K,
GET K, SET K v, SETNX K v, GETDEL K, INCR K, INCRBY K 1,
HGET K f, HSET K f v, HMSET K f v, HSETNX K f v, HDEL K f, HMGET K f, HINCRBY K f 1, HEXISTS K f, HGETALL K, HKEYS K, HVALS K, HLEN K,
LPUSH K v, RPUSH K v, LPOP K, RPOP K, RPOPLPUSH K K, LRANGE K 0 0, LINDEX K 0, LSET K 0 v, LPOS K v, LREM K 1 v, LTRIM K 0 0, LLEN K,
SADD K m, SREM K m, SCARD K, SISMEMBER K m, SMISMEMBER K m, SMEMBERS K, SUNIONSTORE K K,
ZADD K 1 m, ZREM K m, ZCARD K, ZSCORE K m, ZMSCORE K m, ZRANK K m, ZCOUNT K 0 0, ZLEXCOUNT K - +, ZPOPMIN K, ZRANGE K 0 0, ZREVRANGE K 0 0,
ZRANGEBYSCORE K 0 0, ZREVRANGEBYSCORE K 0 0, ZRANGEBYLEX K - +, ZREMRANGEBYSCORE K 0 0, ZREMRANGEBYRANK K 0 0,
XADD K * f v, XDEL K 0-1, XLEN K, XRANGE K - +, XREVRANGE K + -, XREAD STREAMS K 0, XTRIM K MAXLEN 0,
TIME, INFO server`
  .trim()
  .split(/,\s*/)
  .map((command) => command.split(' '));

/** Tries each command and answers the refused ones; leaves no key. A command with the wrong kind of value was not refused. */
const tryAll = `
local refused = {}
for _, command in ipairs(cjson.decode(ARGV[1])) do
  for i, word in ipairs(command) do if word == 'K' then command[i] = KEYS[1] end end
  local answer = redis.pcall(unpack(command))
  local err = type(answer) == 'table' and answer.err or ''
  -- The last is the form of Redis 7.0, the one before of newer ones and of Valkey.
  if string.find(err, 'NOPERM') or string.find(err, 'ACL failure') or string.find(err, "user executing the script can't") then
    table.insert(refused, command[1])
  end
end
redis.pcall('DEL', KEYS[1])
return refused`;

/** The needed rights that the connection's user lacks: the refused commands, or the prefix of the keys. */
export async function missingRights(redis: Redis, prefix: string): Promise<readonly string[]> {
  const key = `${prefix}:rights`;
  const missing: string[] = [];
  const attempt = async (name: string, call: () => Promise<unknown>): Promise<void> => {
    await call().catch((error: unknown) => {
      if (!(error instanceof Error) || !error.message.includes('NOPERM')) throw error;
      missing.push(/access (?:one of )?(?:the|a) keys?/i.test(error.message) ? `the keys ${prefix}:*` : name);
    });
  };
  await attempt('EVAL', async () => {
    const refused = (await redis.eval(tryAll, 1, key, JSON.stringify(commandsOfScripts))) as string[];
    missing.push(...refused);
  });
  // A script that Redis does not know.
  await attempt('EVALSHA', async () =>
    redis.evalsha('0'.repeat(40), 1, key).catch((error: unknown) => {
      if (!String(error).includes('NOSCRIPT')) throw error;
    }),
  );
  await attempt('BZPOPMIN', () => redis.bzpopmin(key, 0.01));
  await attempt('WAIT', () => redis.wait(0, 1));
  await attempt('TIME', () => redis.time());
  await attempt('MULTI', () => redis.call('MULTI'));
  await attempt('EXEC', () =>
    redis.call('EXEC').catch((error: unknown) => {
      if (!String(error).includes('EXEC without MULTI')) throw error;
    }),
  );
  return [...new Set(missing)];
}
