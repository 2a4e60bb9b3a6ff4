import { expect, test } from 'vitest';
import { followEach, followSecrets } from '../../../cli/worker/follow-secrets.ts';
import { silentLogger } from '../../../lib/core/ports/ports.ts';
import { manualClock } from '../../environment/clock.ts';

const message = 'The secret cannot be read.';

function follow(read: (config: string) => string | undefined) {
  const clock = manualClock();
  const lines: unknown[] = [];
  const error = (...line: readonly unknown[]): void => void lines.push(line);
  return {
    clock,
    lines,
    secretOf: followSecrets(read, { clock, message, logger: { ...silentLogger, error } }),
  };
}

test('a secret is read again after a second, and at once for another configuration', async () => {
  let secret = 'first';
  const { clock, secretOf } = follow((config) => `${config} ${secret}`);
  expect(secretOf('a')).toBe('a first');
  secret = 'second';
  expect(secretOf('a')).toBe('a first');
  expect(secretOf('b')).toBe('b second');
  secret = 'third';
  await clock.advance(1_000);
  expect(secretOf('b')).toBe('b third');
});

test('a secret that cannot be read stays as it was, and the log says why once', async () => {
  const file: { fault?: string } = {};
  const { clock, lines, secretOf } = follow(() => {
    if (file.fault !== undefined) throw new Error(file.fault);
    return 'first';
  });
  secretOf('a');
  file.fault = 'the file is empty';
  for (let i = 0; i < 3; i += 1) {
    await clock.advance(1_000);
    expect(secretOf('a')).toBe('first');
  }
  expect(lines).toEqual([[message, { reason: file.fault }]]);
});

test('a secret that is not set and then cannot be read stays not set', async () => {
  const file: { fault?: string } = {};
  const { clock, secretOf } = follow(() => {
    if (file.fault !== undefined) throw new Error(file.fault);
    return undefined;
  });
  expect(secretOf('a')).toBeUndefined();
  file.fault = 'the file is empty';
  await clock.advance(1_000);
  expect(secretOf('a')).toBeUndefined();
});

test('the secrets of another configuration are never used in place of those that cannot be read', async () => {
  const file: { fault?: string } = {};
  const { clock, secretOf } = follow((config) => {
    if (file.fault !== undefined) throw new Error(file.fault);
    return `of ${config}`;
  });
  secretOf('a');
  file.fault = 'the file is empty';
  expect(() => secretOf('b')).toThrow(file.fault);
  await clock.advance(1_000);
  expect(secretOf('a')).toBe('of a');
  expect(() => secretOf('b')).toThrow(file.fault);
  delete file.fault;
  expect(secretOf('b')).toBe('of b');
});

test('of several secrets, one that cannot be read does not stop the rotation of the others', async () => {
  const clock = manualClock();
  const lines: unknown[] = [];
  const error = (...line: readonly unknown[]): void => void lines.push(line);
  const files = new Map([
    [1, 'first'],
    [2, 'second'],
  ]);
  const read = (key: number): string => {
    const text = files.get(key);
    if (text === undefined) throw new Error(`no file ${key}`);
    return text;
  };
  const readers = new Map([1, 2].map((key) => [key, () => [read(key)]] as const));
  const secretsOf = followEach(() => readers, { clock, message, logger: { ...silentLogger, error } });
  secretsOf('a');
  files.delete(1);
  files.set(2, 'rotated');
  for (let i = 0; i < 2; i += 1) {
    await clock.advance(1_000);
    expect([...secretsOf('a')]).toEqual([
      [1, ['first']],
      [2, ['rotated']],
    ]);
  }
  expect(lines).toEqual([[message, { reason: 'no file 1' }]]);
});
