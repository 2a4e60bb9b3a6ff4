import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  loadScript,
  readScript,
  type ScriptValue,
  statusIn,
  toJson,
} from '../../../../lib/redis/scripts/lua-script.ts';
import { testRedis } from '../../../environment/redis.ts';

const redis = testRedis();

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-lua-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const decode = 'local args = cjson.decode(ARGV[1])\n';

/** What a script sees of its arguments, one Lua expression each. */
async function seen(given: Readonly<Record<string, ScriptValue>>, ...expressions: readonly string[]) {
  const text = `${decode}return {${expressions.map((one) => `tostring(${one})`).join(', ')}}`;
  const script = loadScript<typeof given, readonly string[]>(
    folderOf({ 'seen.lua': text }),
    'seen.lua',
    (answer) => answer,
  );
  // A connection knows a script by its name: each of these is another one.
  return script(redis.connect(), [], given);
}

describe('the arguments of a script', () => {
  test('keep any text that Redis can hold, also as the value of a key', async () => {
    const texts = ['', '"\\/', 'a\0b', '\u2028 ü 🚚', '\n\r\t\u0001\u007f', '</script>', '\\u0000'];
    for (const text of texts) expect(await seen({ text }, 'args.text')).toEqual([text]);
    const store = loadScript<{ readonly text: string }, unknown>(
      folderOf({ 'store.lua': `${decode}redis.call('SET', KEYS[1], args.text) return {'ok'}` }),
      'store.lua',
      () => undefined,
    );
    const connection = redis.connect();
    await store(connection, ['stored'], { text: 'a\0"ü🚚' });
    expect(await connection.get('stored')).toBe('a\0"ü🚚');
  });

  test('replace half a surrogate pair, for which UTF-8 has no form', async () => {
    expect(await seen({ text: 'a\ud83db', list: ['\udc00'] }, 'args.text', 'args.list[1]')).toEqual([
      'a\ufffdb',
      '\ufffd',
    ]);
    expect(toJson({ text: '\\ud83d' })).toBe('{"text":"\\\\ud83d"}');
  });

  test('keep milliseconds, ids and sequences exactly, as numbers', async () => {
    const format = (name: string) => `string.format('%.0f', args.${name})`;
    const given = { now: 1_763_000_000_123, id: Number.MAX_SAFE_INTEGER, zero: 0, less: -1 };
    expect(await seen(given, ...Object.keys(given).map(format))).toEqual(Object.values(given).map(String));
  });

  test('that are undefined are nil, empty lists and objects are empty tables', async () => {
    const given = { none: undefined, list: [], fields: {}, no: false };
    expect(await seen(given, 'args.none', '#args.list', 'next(args.fields)', 'args.no')).toEqual([
      'nil',
      '0',
      'nil',
      'false',
    ]);
  });
});

test('a script is run again by its text after Redis has forgotten it', async () => {
  const script = loadScript<{ readonly by: number }, number>(
    folderOf({ 'count.lua': `${decode}return redis.call('INCRBY', KEYS[1], args.by)` }),
    'count.lua',
    ([count]) => Number(count),
  );
  const connection = redis.connect();
  expect(await script(connection, ['count'], { by: 2 })).toBe(2);
  await connection.script('FLUSH');
  expect(await script(connection, ['count'], { by: 3 })).toBe(5);
});

test('included files come before the script, each once', () => {
  const folder = folderOf({
    'a.lua': '--- include: b.lua\n--- include: c.lua\nA',
    'b.lua': '--- include: c.lua\nB',
    'c.lua': 'C',
  });
  const { name, source } = readScript(path.join(folder, 'a.lua'));
  expect(name).toBe('a');
  expect(source.replaceAll(/^---.*\n/gm, '')).toBe('C\nB\nA');
});

test('a status that the script does not document is an error', () => {
  expect(statusIn('ok', 'fenced')(['fenced', '7'])).toBe('fenced');
  expect(() => statusIn('ok', 'fenced')(['OK'])).toThrow('A script answered "OK" instead of ok, fenced.');
  expect(() => statusIn('ok')([])).toThrow('undefined');
});
