import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Redis } from 'ioredis';

/**
 * The value of an argument. Not `null`, because cjson decodes it to `cjson.null`, which counts as true in Lua. An undefined
 * value is left out of the JSON and is nil in the script.
 */
export type ScriptValue =
  string | number | boolean | undefined | readonly ScriptValue[] | { readonly [name: string]: ScriptValue };

/** Runs a Lua script on a connection: its keys, and its named arguments as one JSON object. */
export type Script<Arguments, Answer> = (
  redis: Redis,
  keys: readonly string[],
  args: Arguments,
) => Promise<Answer>;

/**
 * Loads the script of a `.lua` file in `folder` and gives it types: only this place knows its arguments and its answer.
 * ioredis sends the text once on each connection, then its digest. `read` makes the answer from what the script returns;
 * numbers are texts there. `before` is Lua code from elsewhere that precedes the file.
 */
export function loadScript<Arguments extends { readonly [Name in keyof Arguments]: ScriptValue }, Answer>(
  folder: string,
  file: string,
  read: (answer: readonly string[]) => Answer,
  before = '',
): Script<Arguments, Answer> {
  const { name, source } = readScript(path.join(folder, file));
  // The prefix avoids a name that a connection may have for something else.
  const command = `lua:${name}`;
  return async (redis, keys, args) => {
    if (!(command in redis)) redis.defineCommand(command, { lua: before + source });
    const run = Reflect.get(redis, command) as (...values: readonly (string | number)[]) => Promise<unknown>;
    const answer = await run.call(redis, keys.length, ...keys, toJson(args));
    return read(Array.isArray(answer) ? answer.map(String) : [String(answer)]);
  };
}

/**
 * Returns a function that reads the status at the start of a script's answer. It throws if the status is not in the
 * list.
 */
export function statusIn<Status extends string>(
  ...statuses: readonly Status[]
): (answer: readonly string[]) => Status {
  return ([first]) => {
    const status = statuses.find((candidate) => candidate === first);
    if (status === undefined)
      throw new Error(`A script answered "${String(first)}" instead of ${statuses.join(', ')}.`);
    return status;
  };
}

/** Converts a list of alternating fields and values, as Redis answers it, to pairs. */
export function pairsOf(fields: readonly string[]): Record<string, string> {
  const hash: Record<string, string> = {};
  for (let i = 0; i < fields.length; i += 2) hash[fields[i] ?? ''] = fields[i + 1] ?? '';
  return hash;
}

/** A script and the shared files that it includes, as one text. */
export interface ScriptText {
  /** The file's name without `.lua`; no two files share one. */
  readonly name: string;
  readonly source: string;
}

/** Reads a script. A line `--- include: <path>` puts another file before it, each file once. */
export function readScript(file: string): ScriptText {
  const parts: string[] = [];
  const seen = new Set<string>();
  const add = (scriptPath: string): void => {
    if (seen.has(scriptPath)) return;
    seen.add(scriptPath);
    const text = readFileSync(scriptPath, 'utf8');
    for (const [, included = ''] of text.matchAll(/^--- include: (\S+)$/gm))
      add(path.join(path.dirname(scriptPath), included));
    parts.push(text);
  };
  add(file);
  return { name: path.basename(file, '.lua'), source: parts.join('\n') };
}

/** How `JSON.stringify` begins half of a surrogate pair; whole pairs it writes as they are. */
const loneSurrogate = String.raw`\ud`;

/**
 * Writes JSON that cjson can read. Cjson refuses a text with half a surrogate pair, because UTF-8 cannot represent
 * it.
 */
export function toJson(value: object): string {
  const text = JSON.stringify(value);
  if (!text.includes(loneSurrogate)) return text;
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part));
}
