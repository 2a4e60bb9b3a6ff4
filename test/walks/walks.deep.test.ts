import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { examples, recording } from './examples.ts';
import { hasFunctions, readWalks, type Walk } from './read-walks.ts';
import type { Recorded, RecordOptions } from './recorded.ts';

const walks = readWalks();
/** The two walks that cross most rooms. */
const longer = ['A test file to a failing row', 'A diff to a comment'];

test('CONTRIBUTING has six walks, and each has an example', () => {
  expect(walks.map(({ title }) => title).toSorted()).toEqual(Object.keys(examples).toSorted());
  expect(walks).toHaveLength(6);
});

describe.each(walks)('the walk “$title”', ({ title, files }) => {
  test('has few files', () => {
    expect(files.length).toBeGreaterThan(5);
    expect(files.length).toBeLessThanOrEqual(longer.includes(title) ? 14 : 12);
  });

  test('leads from each file to the next: no other file calls it first', async () => {
    expect(gaps(files, await record({ title, files }))).toEqual([]);
  });
});

/** Runs the example of a walk, and returns which file called which. */
async function record({ title, files }: Walk): Promise<Recorded> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-walk-'));
  try {
    const result = join(folder, 'recorded.json');
    const from = title === 'A push to a promotion' ? 'request' : 'start';
    const options: RecordOptions = { files, from, result };
    await examples[title]?.({ NODE_OPTIONS: recording, MILLRACE_WALK: JSON.stringify(options) });
    return JSON.parse(readFileSync(result, 'utf8')) as Recorded;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The files that nothing called, and those that another file called first. Where a walk begins, all may call; a file of `lib/` may
 * serve others before.
 */
function gaps(files: readonly string[], recorded: Recorded): readonly string[] {
  const isListed = (caller: string) => caller === '' || files.includes(caller);
  return files.filter(hasFunctions).flatMap((file) => {
    const callers = recorded[file] ?? [];
    const [first] = callers;
    if (first === undefined) return [`nothing calls ${file}`];
    const leads = file.startsWith('lib/') ? callers.some(isListed) : isListed(first);
    return leads || file === files[0] ? [] : [`${first} calls ${file}`];
  });
}
