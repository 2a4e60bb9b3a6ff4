import { expect, test } from 'vitest';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import { shareReads } from '../../../../worker/intake/ingest/share-reads.ts';
import { manualClock } from '../../../environment/clock.ts';
import { taggedLine } from './tagged-line.ts';

/** A GitHub whose answers about refs are given by the test, in the order of the reads. */
function createShared(instead: Partial<GitHubPort> = {}) {
  const reads: ((head: string | undefined) => void)[] = [];
  const clock = manualClock();
  const line = taggedLine(5, '', async (answer) => answer);
  const github = shareReads(
    {
      ...line,
      head: async () => new Promise((resolve) => void reads.push(resolve)),
      ...instead,
    },
    clock,
  );
  const commits = Promise.all([0, 1, 2, 3, 4].map((i) => line.head('', `refs/tags/v${i}`)));
  return { github, reads, clock, commits };
}

const turn = async () => new Promise((resolve) => void setImmediate(resolve));

test('those that ask for a ref while it is read share the next read, which begins after they asked', async () => {
  const { github, reads } = createShared();
  const [first, second, third] = [1, 2, 3].map(() => github.head('a/b', 'refs/heads/main'));
  await turn();
  expect(reads).toHaveLength(1);
  reads[0]?.('old');
  expect(await first).toBe('old');
  await turn();
  expect(reads).toHaveLength(2);
  reads[1]?.('new');
  expect(await Promise.all([second, third])).toEqual(['new', 'new']);
  void github.head('a/b', 'refs/heads/main');
  expect(reads).toHaveLength(3);
});

test('a read that GitHub does not answer holds up others for a second only', async () => {
  const { github, reads, clock } = createShared();
  void github.head('a/b', 'refs/heads/main');
  const second = github.head('a/b', 'refs/heads/main');
  await clock.advance(1_001);
  await turn();
  reads[1]?.('new');
  expect(await second).toBe('new');
});

test('a file is read once, but one that GitHub does not show yet is read again', async () => {
  const shown: { text?: string } = {};
  let files = 0;
  const { github } = createShared({
    async textAt() {
      files += 1;
      return shown.text;
    },
  });
  expect(await github.textAt('a/b', 'millrace.yaml', 'c')).toBeUndefined();
  shown.text = 'version: 1';
  const both = [1, 2].map(() => github.textAt('a/b', 'millrace.yaml', 'c'));
  expect(await Promise.all(both)).toEqual([shown.text, shown.text]);
  expect(await github.textAt('a/b', 'millrace.yaml', 'c')).toBe('version: 1');
  expect(files).toBe(2);
});

test('a file that GitHub does not show to one push is read again for a push that asked in between', async () => {
  const answers: ((text: string | undefined) => void)[] = [];
  const { github } = createShared({
    textAt: async () => new Promise((resolve) => void answers.push(resolve)),
  });
  const [first, second] = [1, 2].map(() => github.textAt('a/b', 'millrace.yaml', 'c'));
  answers[0]?.(undefined);
  expect(await first).toBeUndefined();
  await turn();
  answers[1]?.('version: 1');
  expect(await second).toBe('version: 1');
});

test('the relation of two commits is not read where known parents give it', async () => {
  let comparisons = 0;
  const { github, commits } = createShared({
    async relation() {
      comparisons += 1;
      return 'diverged';
    },
  });
  const [root = '', one = '', two = '', three = ''] = await commits;
  for (const commit of [one, two]) await github.parentOf('a/b', commit);
  expect(await github.relation('a/b', root, two)).toBe('ahead');
  expect(await github.relation('a/b', two, root)).toBe('behind');
  expect(comparisons).toBe(0);
  expect(await github.relation('a/b', root, three)).toBe('diverged');
  expect(await github.relation('other/one', root, two)).toBe('diverged');
  expect(comparisons).toBe(2);
});
