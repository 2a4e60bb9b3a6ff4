import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { cloneFacts } from '../../../flows/versions/clone-facts.ts';
import {
  guardOrder,
  inEnvironment,
  type OrderGuard,
  orderGuardOf,
} from '../../../flows/versions/guard-order.ts';
import type { CommitFacts } from '../../../flows/versions/newer-version.ts';
import { projectSchema } from '../../../lib/config/project/project-schema.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { openRepository } from '../../../lib/git/repository.ts';
import { temporaryRepository } from '../../lib/git/temporary-repository.ts';

const [one, two] = ['1'.repeat(40), '2'.repeat(40)] as const;

function change(version: string, commit: string | undefined, live: string, commitHash: string | undefined) {
  return {
    version,
    commit: async () => commit,
    live: { versionName: live, commitHash },
    ...inEnvironment('test', live),
  };
}

const guard = (given: Partial<OrderGuard> = {}): OrderGuard => ({
  older: 'refuse',
  order: 'auto',
  commits: [],
  tagOf: (version) => version,
  ...given,
});

/** The facts of a clone, as a guard asks for them. */
async function clone(folder: string): Promise<OrderGuard> {
  const repository = await openRepository(folder);
  return guard({ commits: [async () => cloneFacts(repository, new AbortController().signal)] });
}

test('an older version is refused, and the message names both versions and two ways back', async () => {
  await expect(guardOrder(change('v1.9.0', one, 'v1.10.0', two), guard())).rejects.toMatchObject({
    code: 'older-version',
    exitCode: 1,
    message: 'v1.9.0 is older than v1.10.0, which is live in test. Nothing was changed.',
    hint: expect.stringMatching(
      /`millrace rollback --environment test --version v1\.10\.0`.*`--older allow`.*`older: allow`/u,
    ),
  });
});

test.each([
  ['a newer version', 'v1.10.0-rc10', 'v1.10.0-rc9', guard(), []],
  ['the live version', 'v1', 'v1', guard(), []],
  ['an older one with allow', 'v1.9.0', 'v1.10.0', guard({ older: 'allow' }), []],
  [
    'an older one with warn',
    'v1.9.0',
    'v1.10.0',
    guard({ older: 'warn' }),
    ['v1.9.0 is older than v1.10.0, which is live in test. Millrace continued with v1.9.0.'],
  ],
])('%s is not refused', async (_, version, live, given, warnings) => {
  expect(await guardOrder(change(version, one, live, two), given)).toEqual(warnings);
});

test('names without an order are compared by their commits and tags in the clone', async () => {
  using work = temporaryRepository();
  const first = work.commit('first');
  work.git('tag', '-a', '-m', 'early', 'early');
  const second = work.commit('second');
  work.git('tag', 'light');
  const given = await clone(work.directory);
  await expect(guardOrder(change('blue', first, 'red', second), given)).rejects.toThrow(/older than red/u);
  expect(await guardOrder(change('red', second, 'blue', first), given)).toEqual([]);
  // Two versions of one commit: the tag that was made later is newer, and without tags it does not matter.
  work.git('tag', '-a', '-m', 'late', 'late', first);
  const late = change('early', first, 'late', first);
  const tagged = await (await given.commits[0]?.())?.taggedAt('refs/tags/late');
  expect(tagged).toBeGreaterThan(0);
  expect(await guardOrder(change('light', second, 'heavy', second), given)).toEqual([]);
  const later: CommitFacts = {
    relation: async () => 'identical',
    committedAt: async () => undefined,
    taggedAt: async (ref) => (ref === 'refs/tags/late' ? 2 : 1),
  };
  await expect(guardOrder(late, guard({ commits: [async () => later] }))).rejects.toThrow(/older than late/u);
});

test('a shallow clone proves what it can, and otherwise the next source decides', async () => {
  using work = temporaryRepository();
  const first = work.commit('first');
  const second = work.commit('second');
  const third = work.commit('third');
  const shallow = path.join(work.directory, 'shallow');
  execFileSync('git', ['clone', '-q', '--depth=2', pathToFileURL(work.directory).href, shallow]);
  const given = await clone(shallow);
  await expect(guardOrder(change('blue', second, 'red', third), given)).rejects.toThrow(/older than red/u);
  expect(await guardOrder(change('red', third, 'blue', first), given)).toEqual([
    expect.stringMatching(
      /^It is not known whether red is newer than blue, which is live in test: .*shallow clone.*Millrace continued with red\.$/u,
    ),
  ]);
  const full = await clone(work.directory);
  const both = { ...given, commits: [...given.commits, ...full.commits] };
  expect(await guardOrder(change('red', third, 'blue', first), both)).toEqual([]);
});

test.each([
  ['no source', guard(), one, two, 'neither a clone of the repository nor a token for GitHub'],
  ['no check-out', guard({ commits: [async () => undefined] }), one, two, 'neither a clone'],
  ['no commit of the live version', guard(), one, undefined, 'from which commit red was built'],
  [
    'a source that fails',
    guard({
      commits: [
        async () => {
          throw new Failure('github-failed', { message: 'GitHub answered 403.' });
        },
      ],
    }),
    one,
    two,
    'GitHub answered 403',
  ],
])('with %s the version is not refused, and a warning names both', async (_, given, own, other, reason) => {
  expect(await guardOrder(change('blue', own, 'red', other), given)).toEqual([
    expect.stringContaining(reason),
  ]);
});

test('a cancel during the comparison is not a reason to continue', async () => {
  const cancelled = async () => {
    throw new Failure('cancelled', { message: 'Cancelled.' });
  };
  const given = guard({ commits: [cancelled] });
  await expect(guardOrder(change('blue', one, 'red', two), given)).rejects.toThrow('Cancelled.');
});

test('the settings of the project give the order of the lane, and the tag of a version', () => {
  const lane = { name: 'up', on: { push: { tags: ['v*'] } }, from: 'dev', to: 'test' };
  const config = projectSchema.parse({
    version: 1,
    lanes: [{ ...lane, versions: { order: 'time' } }],
    release: { tag: 'finance/v*', version: '{*}' },
  });
  const given = { older: 'refuse', commits: [] } as const;
  expect(orderGuardOf(config, 'test', given).order).toBe('time');
  expect(orderGuardOf(config, 'prod', given).order).toBe('auto');
  expect(orderGuardOf(config, undefined, given).tagOf('1.4.0')).toBe('finance/v1.4.0');
  const of = (release: object) => orderGuardOf(projectSchema.parse({ version: 1, release }), 'x', given);
  expect(of({}).tagOf('v1.4.0')).toBe('v1.4.0');
  expect(of({}).tagOf('nightly')).toBeUndefined();
  expect(of({ version: '{short-commit}' }).tagOf('0123456789ab')).toBeUndefined();
});
