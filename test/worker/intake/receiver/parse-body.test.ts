import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseBodyAside } from '../../../../worker/intake/receiver/parse-body.ts';

const push = {
  ref: 'refs/heads/main',
  created: false,
  repository: { id: 7, full_name: 'a/b', owner: { login: 'a' } },
  sender: { id: 1, login: 'octocat' },
};
const bulk = Array.from({ length: 20_000 }, (_, i) => ({
  id: String(i).padStart(40, '0'),
  message: 'a change',
  author: { name: 'Ada', username: i % 2 === 0 ? 'ada' : 'grace' },
}));

test('a small body is parsed as it is', async () => {
  const body = Buffer.from(JSON.stringify({ ...push, commits: [{ id: 'a' }] }));
  expect((await parseBodyAside(body))?.parsed).toEqual({ ...push, commits: [{ id: 'a' }] });
});

test('a large body is parsed in a thread: it keeps what the worker reads, also the authors of 5,000 commits', async () => {
  const body = Buffer.from(JSON.stringify({ ...push, commits: bulk }));
  expect(body.length).toBeGreaterThan(1024 * 1024);
  const digest = createHash('sha256').update(body).digest('hex');
  const commits = bulk.slice(0, 5_000).map(({ author }) => ({ author }));
  expect(await parseBodyAside(body)).toEqual({ parsed: { ...push, commits }, digest });
});

test('a large body is handed to its thread and not copied, unless its memory holds other things too', async () => {
  const text = JSON.stringify({ ...push, commits: bulk });
  const body = Buffer.from(text);
  await parseBodyAside(body);
  expect(body.length).toBe(0);
  const shared = Buffer.from(`${text}and more`);
  const part = shared.subarray(0, text.length);
  expect((await parseBodyAside(part))?.parsed).toMatchObject(push);
  expect(shared.subarray(-8).toString()).toBe('and more');
});

test('while a large body is parsed the process serves others', async () => {
  const body = Buffer.from(
    JSON.stringify({ ...push, commits: Array.from({ length: 8 }, () => bulk).flat() }),
  );
  let turns = 0;
  let isParsed = false;
  const count = (): void => {
    turns += 1;
    if (!isParsed) setImmediate(count);
  };
  setImmediate(count);
  await parseBodyAside(body);
  isParsed = true;
  // Parsed in this thread, it would take none.
  expect(turns).toBeGreaterThan(3);
});

test('a large body that is not JSON is reported as not JSON', async () => {
  expect(await parseBodyAside(Buffer.alloc(2 * 1024 * 1024, '{'))).toBeUndefined();
});

test('a name that would change what an object inherits from is left out of a large body', async () => {
  const body = Buffer.from(`{"__proto__":{"polluted":true},"ref":"r","fill":"${'x'.repeat(1_100_000)}"}`);
  const parsed = (await parseBodyAside(body))?.parsed;
  expect(parsed).toEqual({ ref: 'r' });
  expect(parsed).not.toHaveProperty('polluted');
});
