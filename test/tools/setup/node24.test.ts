import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { fakeClone, standIn } from './fake-clone.ts';

interface Node24 {
  fetchNode24(): Promise<string>;
}

const load = (clone: string) =>
  import(pathToFileURL(join(clone, 'tools/setup/node24.mjs')).href) as Promise<Node24>;

/** In this process, because the stand-in for npm must be found by the clone's own code. */
async function fetchWith(clone: string): Promise<unknown> {
  const path = process.env['PATH'];
  const execpath = process.env['npm_execpath'];
  process.env['PATH'] = `${join(clone, 'stand-ins')}:${path}`;
  delete process.env['npm_execpath'];
  try {
    return await (await load(clone)).fetchNode24().catch((error: unknown) => error);
  } finally {
    process.env['PATH'] = path;
    if (execpath !== undefined) process.env['npm_execpath'] = execpath;
  }
}

test('a Node package with another checksum than the pinned one is refused and removed', async () => {
  const clone = fakeClone();
  standIn(
    clone,
    'npm',
    `const folder = args[args.indexOf('--pack-destination') + 1];
     fs.writeFileSync(folder + '/other.tgz', 'not what was pinned');
     console.log(JSON.stringify([{ filename: 'other.tgz' }]));`,
  );
  const failure = await fetchWith(clone);
  expect(String(failure)).toMatch(/has the wrong checksum[^]*Install Node 24/);
  expect(readdirSync(join(clone, '.millrace'))).toEqual([]);
});

test('a failed download of Node prints the message of npm and the hint to install Node 24', async () => {
  const clone = fakeClone();
  standIn(clone, 'npm', "console.error('E404 not found'); process.exit(1);");
  const failure = await fetchWith(clone);
  expect(String(failure)).toMatch(/E404 not found[^]*Install Node 24/);
  expect(existsSync(join(clone, '.millrace', 'node-24.21.0'))).toBe(false);
});
