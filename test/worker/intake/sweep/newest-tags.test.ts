import { expect, test } from 'vitest';
import { newestTags } from '../../../../worker/intake/sweep/newest-tags.ts';

/** Two lines of releases that part at `b`; `x` is on no branch that counts. */
const parents: Readonly<Record<string, string>> = { b: 'a', c: 'b', d: 'c', p: 'b', q: 'p', x: 'd' };

const historyOf = (commit: string | undefined): readonly string[] =>
  commit === undefined ? [] : [commit, ...historyOf(parents[commit])];

const github = {
  head: async (): Promise<undefined> => undefined,
  relation: async (_: string, base: string, head: string) =>
    base === head
      ? ('identical' as const)
      : historyOf(head).includes(base)
        ? ('ahead' as const)
        : historyOf(base).includes(head)
          ? ('behind' as const)
          : ('diverged' as const),
};

const tip = (ref: string, commit: string) => ({ ref, commit, headCommit: commit });
const branches = [tip('refs/heads/main', 'd'), tip('refs/heads/release', 'q')];

test('the newest tag of each allowed branch is found by its place in the history, whatever its name', async () => {
  const tags = [tip('v9', 'a'), tip('v2', 'c'), tip('v10', 'b'), tip('v1.5.1', 'q'), tip('v11-x', 'x')];
  const newest = await newestTags('example/warehouse', { tags, branches }, github);
  expect(newest.map(({ ref }) => ref).toSorted((a, b) => a.localeCompare(b))).toEqual(['v1.5.1', 'v2']);
});

test('of a release and its candidates on one commit the release is found', async () => {
  const tags = [tip('v2.0.0', 'c'), tip('v2.0.0-rc.1', 'c'), tip('v2.0.0-rc.2', 'c')];
  expect(await newestTags('example/warehouse', { tags, branches }, github)).toEqual([tip('v2.0.0', 'c')]);
});

test('of very many tags the fifty highest by name are put in order', async () => {
  let asked = 0;
  const counting = {
    ...github,
    relation: async (...given: Parameters<typeof github.relation>) => {
      asked += 1;
      return github.relation(...given);
    },
  };
  const tags = Array.from({ length: 500 }, (_, i) => tip(`v${i}`, i === 499 ? 'd' : 'a'));
  const newest = await newestTags('example/warehouse', { tags, branches }, counting);
  expect(newest).toEqual([tip('v499', 'd')]);
  expect(asked).toBeLessThan(110);
});
