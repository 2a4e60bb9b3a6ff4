import { expect, test } from 'vitest';
import { reducePush } from '../../../worker/records/push-event.ts';

const id = (digit: string): string => digit.repeat(40);
const push = {
  ref: 'refs/heads/main',
  before: id('a'),
  after: id('b'),
  created: false,
  deleted: false,
  forced: false,
  repository: { id: 7, full_name: 'example/warehouse' },
  sender: { id: 1, login: 'octocat' },
};
const authorsOf = (more: object) =>
  reducePush({ ...push, ...more }, { delivery: 'd', digest: 'x', receivedAt: 0 })?.authors;
const commit = (author: unknown, committer: unknown = author) => ({ id: id('b'), author, committer });

test('the authors of a push are the authors and committers of its commits and of its head, each once', () => {
  const commits = [commit({ username: 'ada' }, { username: 'grace' }), commit({ username: 'ada' })];
  expect(authorsOf({ commits, head_commit: commit({ username: 'linus' }) })).toEqual([
    'ada',
    'grace',
    'linus',
  ]);
});

test('the website’s own committer, and people whose login GitHub does not know, are not authors', () => {
  const head = commit({ name: 'Ada', email: 'ada@example.com' }, { username: 'web-flow' });
  expect(authorsOf({ head_commit: head })).toEqual([]);
});

test.each([[undefined], [null], ['ada'], [[{ author: 7 }]], [[null]]])(
  'a push with the commits %j is still a push',
  (commits) => {
    expect(authorsOf({ commits, head_commit: commit({ username: 'ada' }) })).toContain('ada');
  },
);

test.each([
  [{ timestamp: '2031-01-02T10:00:00+02:00' }, Date.parse('2031-01-02T08:00:00Z')],
  [{}, undefined],
  [{ timestamp: 'yesterday' }, undefined],
])('a push whose head is %j was committed at %s', (more, time) => {
  const head_commit = { ...commit({ username: 'ada' }), ...more };
  const event = reducePush({ ...push, head_commit }, { delivery: 'd', digest: 'x', receivedAt: 0 });
  expect([event?.committedAt, event?.headCommit]).toEqual([time, id('b')]);
});

test('at most 500 authors are kept', () => {
  const commits = Array.from({ length: 600 }, (_, i) => commit({ username: `person-${i}` }));
  expect(authorsOf({ commits })).toHaveLength(500);
});
