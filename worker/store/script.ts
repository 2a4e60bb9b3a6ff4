import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A Lua script: Redis runs it as one step, nothing comes in between. */
export interface Script {
  readonly source: string;
  readonly sha1: string;
}

/** Joins the parts that scripts share with the script itself. */
export function defineScript(...parts: readonly string[]): Script {
  const source = parts.join('\n');
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}

/** Runs a script by its digest; sends its text only to a server that does not know it. */
export async function runScript(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<readonly string[]> {
  const rest = [...keys, ...values];
  try {
    return strings(await redis.evalsha(script.sha1, keys.length, ...rest));
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return strings(await redis.eval(script.source, keys.length, ...rest));
  }
}

function strings(answer: unknown): readonly string[] {
  return Array.isArray(answer) ? answer.map((one) => String(one)) : [String(answer)];
}
