import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildRepository } from '../../environment/github/bare-repository-builder.ts';
import type { RunResult } from '../../runner/run-action.ts';
import { filesOf, formsOf, leaksOf } from '../leaks.ts';
import {
  createActionEnvironment,
  repository,
  type ActionRun,
  type ActionEnvironment,
} from '../action-environment.ts';
import { componentLine, orchestration } from '../warehouse-files.ts';

const hurried = { NODE_OPTIONS: `--import=${new URL('../hurried-main.mjs', import.meta.url).href}` };

function verdict({ exitCode, outputs, annotations }: RunResult) {
  return [exitCode, outputs['outcome'], annotations[0]?.title];
}
const failed = [1, 'failed', 'component-naming-convention'];

/**
 * Declares a test for each thing that can happen to a review, through the shipped action; every byte that leaves it is
 * held against the token of the platform.
 * @param action `''` for the root action, or the folder of another one that takes the same inputs
 */
export function reviewCells(action: string): void {
  const cells = new Map<string, () => Promise<void>>();
  const cell = (title: string, run: () => Promise<void>): void => void cells.set(title, run);
  /** One pull request with a violation, one without, and a fork, for every cell. */
  let testEnvironment: ActionEnvironment;
  const pulls = { bad: 0, good: 0, fork: 0 };
  const commitOf = async (ref: string): Promise<string> =>
    (await testEnvironment.github.repository(repository).git.commit(ref)) ?? '';
  beforeAll(async () => {
    testEnvironment = await createActionEnvironment();
    const bad = { 'daily/load.orch.yaml': orchestration('load 1') };
    await testEnvironment.builder.commit('bad', bad, { from: 'main' });
    await testEnvironment.builder.commit(
      'good',
      { 'daily/load.orch.yaml': orchestration('Load all') },
      { from: 'main' },
    );
    await testEnvironment.builder.commit('gh-readonly-queue/main/pr-1', bad, { from: 'main' });
    await testEnvironment.builder.tag('v1.0.0', 'bad');
    const fork = await buildRepository(`${testEnvironment.folder}/git`, 'stranger/warehouse');
    const { git } = testEnvironment.github.repository(repository);
    await git.git('push', '--quiet', fork.path, 'refs/heads/main:refs/heads/main');
    await fork.commit('patch', bad, { from: 'main' });
    pulls.bad = testEnvironment.github.openPull(repository, { head: 'bad', base: 'main' });
    pulls.good = testEnvironment.github.openPull(repository, { head: 'good', base: 'main' });
    const stranger = { head: 'patch', base: 'main', headRepository: 'stranger/warehouse' };
    pulls.fork = testEnvironment.github.openPull(repository, stranger);
  });
  afterAll(() => testEnvironment[Symbol.asyncDispose]());
  beforeEach(() => {
    testEnvironment.platform.faults.set({ rules: [] });
    testEnvironment.github.interfere(undefined);
  });

  /** Runs it, and holds every byte that left it against the token of the platform. */
  async function guarded(start: (run: ActionRun) => Promise<RunResult>, run: Partial<ActionRun> = {}) {
    const files: string[] = [];
    const before = testEnvironment.github.requests.length;
    const result = await start({
      action,
      as: 'reader',
      ...run,
      more: { ...run.more, onFinished: ({ outputs }) => files.push(...filesOf(outputs)) },
    });
    const secrets = [testEnvironment.platform.tokens.admin];
    expect(leaksOf(secrets, [result.raw, ...files])).toEqual([]);
    expect(leaksOf(secrets, [JSON.stringify(testEnvironment.github.requests.slice(before))])).toEqual([]);
    return result;
  }
  const review = (number: number, run: Partial<ActionRun> = {}) =>
    guarded((given) => testEnvironment.pullRequest(number, given), run);
  const onEvent = (name: string, payload: unknown, ref: string, sha: string, run: Partial<ActionRun> = {}) =>
    guarded((given) => testEnvironment.event({ name, payload, ref, sha }, given), run);

  cell('passes a change without violations', async () => {
    expect(verdict(await review(pulls.good))).toEqual([0, 'passed', undefined]);
  });

  cell('fails a change with violations', async () => {
    expect(verdict(await review(pulls.bad))).toEqual(failed);
  });

  for (const [what, fault, end] of [
    ['says that the request is wrong', { status: 400 }, [2, 'error', 'Millrace: request-invalid']],
    ['refuses the token', { status: 401 }, [2, 'error', 'Millrace: unauthorized']],
    ['does not let us', { status: 403 }, [2, 'error', 'Millrace: forbidden']],
    ['does not know the project', { status: 404 }, [2, 'error', 'Millrace: not-found']],
    ['breaks', { status: 500 }, [3, 'error', 'Millrace: platform-failed']],
    ['is overloaded', { status: 503 }, [3, 'error', 'Millrace: platform-failed']],
    ['talks garbage', { status: 200 }, [3, 'error', 'Millrace: answer-unreadable']],
  ] as const) {
    cell(`gives no verdict where the platform ${what}, and repeats no secret that it says`, async () => {
      const body = `::error::${formsOf(testEnvironment.platform.tokens.admin).join(' ')}`;
      testEnvironment.platform.faults.set({ rules: [{ operation: 'reviews.create', ...fault, body }] });
      expect(verdict(await review(pulls.bad))).toEqual(end);
    });
  }

  for (const [what, fault] of [
    ['never answers', { wire: 'silence' }],
    ['loses every answer', { wire: 'reset-after' }],
  ] as const) {
    cell(`gives no verdict where the platform ${what}`, async () => {
      testEnvironment.platform.faults.set({ rules: [{ operation: 'reviews.create', ...fault }] });
      const result = await review(pulls.good, { more: { env: hurried } });
      expect(verdict(result)).toEqual([3, 'error', 'Millrace: no-answer']);
    });
  }

  cell('gives the verdict where one answer was lost, since asking again changes nothing', async () => {
    testEnvironment.platform.faults.set({
      rules: [{ operation: 'reviews.create', nth: 1, wire: 'reset-after' }],
    });
    expect(verdict(await review(pulls.bad))).toEqual(failed);
  });

  for (const [what, fault] of [
    ['says 403', { status: 403, body: { message: 'Resource not accessible by integration' } }],
    ['says 401', { status: 401, body: { message: 'Bad credentials' } }],
    ['says 404', { status: 404, body: { message: 'Not Found' } }],
    ['says 500', { status: 500, body: 'no' }],
    ['talks garbage', { status: 200, body: '<html>' }],
    ['cuts the line', 'drop'],
    ['never answers what writes', 'hang'],
  ] as const) {
    cell(`gives the same verdict by other channels where GitHub ${what}`, async () => {
      testEnvironment.github.interfere(({ method }) =>
        fault === 'hang' && method === 'GET' ? undefined : fault,
      );
      const more = fault === 'hang' ? { env: hurried } : {};
      const result = await review(pulls.bad, { as: 'writer', more });
      expect(verdict(result)).toEqual(failed);
      expect(result.summary).toContain('The check run was not written');
    });
  }

  cell('reviews a fork by itself', async () => {
    const result = await review(pulls.fork, { token: '' });
    expect([...verdict(result), result.annotations[0]?.line]).toEqual([...failed, componentLine]);
    expect(result.summary).toContain('provides no secrets');
  });

  cell('reviews the temporary branch of a merge queue', async () => {
    const ref = 'refs/heads/gh-readonly-queue/main/pr-1';
    const [head_sha, base_sha] = [await commitOf(ref), await commitOf('refs/heads/main')];
    const group = { head_ref: ref, head_sha, base_ref: 'refs/heads/main', base_sha };
    const payload = { action: 'checks_requested', merge_group: group };
    expect(verdict(await onEvent('merge_group', payload, ref, head_sha))).toEqual(failed);
  });

  cell('reviews what a push changed', async () => {
    const before = await commitOf('refs/heads/main');
    const push = (given: ActionRun) => testEnvironment.push('refs/heads/bad', given, before);
    expect(verdict(await guarded(push))).toEqual(failed);
  });

  cell('reviews everything on the branch that a person started it on', async () => {
    const sha = await commitOf('refs/heads/bad');
    const result = await onEvent('workflow_dispatch', { inputs: {} }, 'refs/heads/bad', sha);
    expect([...verdict(result), result.outputs['reviewed']]).toEqual([...failed, '2']);
  });

  cell('reviews on pull_request_target without a check-out of the head, and warns', async () => {
    const { mergeSha: _, ...payload } = await testEnvironment.github.events.pullRequest(
      repository,
      pulls.bad,
    );
    const sha = await commitOf('refs/heads/main');
    const result = await onEvent('pull_request_target', payload, 'refs/heads/main', sha);
    expect(verdict(result)).toEqual(failed);
    expect(result.summary).toContain('Never check out and run the code of the pull request there');
  });

  cell('says that a tag is not a branch, and reviews it by itself where that is asked', async () => {
    const sha = await commitOf('refs/tags/v1.0.0');
    const payload = await testEnvironment.github.events.push(repository, 'refs/tags/v1.0.0');
    const onTag = (run: Partial<ActionRun>) => onEvent('push', payload, 'refs/tags/v1.0.0', sha, run);
    const result = await onTag({});
    expect(verdict(result)).toEqual([2, 'error', 'Millrace: usage']);
    expect(result.annotations[0]?.message).toContain('this run is for a tag');
    expect(verdict(await onTag({ inputs: { local: 'true' } }))).toEqual(failed);
  });

  cell('ends as cancelled while it waits for the platform, and reports nothing to GitHub', async () => {
    testEnvironment.platform.faults.set({ rules: [{ operation: 'reviews.create', wire: 'silence' }] });
    const asked = () => testEnvironment.platform.requests().counts['reviews.create'] ?? 0;
    const [before, written] = [
      asked(),
      testEnvironment.github.requests.filter(({ method }) => method !== 'GET').length,
    ];
    const cancel = new AbortController();
    const running = review(pulls.bad, { as: 'writer', more: { signal: cancel.signal } });
    await expect.poll(asked).toBeGreaterThan(before);
    cancel.abort();
    const result = await running;
    // A cancel is not a failure: nothing is red.
    expect([result.outcome, ...verdict(result)]).toEqual(['cancelled', 130, 'cancelled', undefined]);
    expect(testEnvironment.github.requests.filter(({ method }) => method !== 'GET')).toHaveLength(written);
  });

  test.each([...cells])('%s', async (_, run) => {
    expect.hasAssertions();
    await run();
  });
}
