import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createActionEnvironment, repository, type ActionEnvironment } from '../action-environment.ts';
import { manyViolations, orchestration } from '../warehouse-files.ts';

let testEnvironment: ActionEnvironment;
afterEach(() => testEnvironment[Symbol.asyncDispose]());

describe('a review', () => {
  let number: number;
  beforeEach(async () => {
    testEnvironment = await createActionEnvironment();
  });

  async function pullWith(violations: number): Promise<void> {
    const changes = { 'many.tran.yaml': manyViolations(violations) };
    await testEnvironment.builder.commit('feature/x', changes, { from: 'main' });
    number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  }

  test('with 500 findings makes at most sixteen calls to GitHub, and loses none', async () => {
    await pullWith(500);
    const result = await testEnvironment.pullRequest(number, { action: '' });
    expect(testEnvironment.github.requests.length).toBeLessThanOrEqual(16);
    const { checkRuns, comments } = testEnvironment.github.repository(repository);
    expect([checkRuns[0]?.annotations.length, checkRuns[0]?.status]).toEqual([400, 'completed']);
    expect(checkRuns[0]?.output.summary).toContain('100 more findings');
    expect(comments).toHaveLength(1);
    expect(result.outputs['errors']).toBe('500');
    expect(result.summary).toContain('bad 499');
  });

  test('with 6,000 findings fits check run, comment and job summary at once, and counts the rest', async () => {
    await pullWith(6_000);
    const result = await testEnvironment.pullRequest(number, { action: '' });
    const { checkRuns, comments } = testEnvironment.github.repository(repository);
    expect(testEnvironment.github.requests.filter(({ status }) => status >= 400)).toEqual([]);
    for (const text of [checkRuns[0]?.output.summary, comments[0]?.body, result.summary]) {
      expect(text).toMatch(/and \d+ more findings/u);
    }
    expect(result.errors).toEqual([]);
    expect(result.log).toContain('and 5500 more');
  });
});

describe('if the platform fails', () => {
  test('an existing comment no longer shows the previous verdict, and no new comment is written', async () => {
    testEnvironment = await createActionEnvironment();
    const changes = { 'daily/load.orch.yaml': orchestration('load 1') };
    await testEnvironment.builder.commit('feature/x', changes, { from: 'main' });
    const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
    const away = { action: '', inputs: { 'base-url': 'http://127.0.0.1:1' } };
    const { comments } = testEnvironment.github.repository(repository);
    expect((await testEnvironment.pullRequest(number, away)).exitCode).toBe(3);
    expect(comments).toEqual([]);

    await testEnvironment.pullRequest(number, { action: '' });
    expect(comments[0]?.body).toContain('Review: failed');
    expect((await testEnvironment.pullRequest(number, away)).exitCode).toBe(3);
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain('Review: error');
    expect(comments[0]?.body).not.toContain('component-naming-convention');
  });
});
