import { describe, expect, test } from 'vitest';
import { createSharingEnvironment, repository, type ActionEnvironment } from '../action-environment.ts';
import { componentLine, orchestration } from '../warehouse-files.ts';

/** A violation of a rule. */
export const bad = { 'daily/load.orch.yaml': orchestration('load 1') };

export interface BadPull {
  readonly testEnvironment: ActionEnvironment;
  readonly number: number;
}

/** A pull request that brings the violation. */
export async function openBadPull(): Promise<BadPull> {
  const testEnvironment = await createSharingEnvironment();
  await testEnvironment.builder.commit('feature/x', bad, { from: 'main' });
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  return { testEnvironment, number };
}

export function testViolationAndFix(name: string, action: string, opened: () => BadPull): void {
  describe(`${name} on a pull request`, () => {
    test('shows a violation on the line of its component and fails, and passes after the fix', async () => {
      const { testEnvironment, number } = opened();
      const failed = await testEnvironment.pullRequest(number, { action, as: 'reader' });
      expect(failed.annotations.map(({ level, file, line, title }) => [level, file, line, title])).toEqual([
        ['error', 'daily/load.orch.yaml', componentLine, 'component-naming-convention'],
      ]);
      expect([failed.exitCode, failed.outputs['outcome'], failed.outputs['errors']]).toEqual([
        1,
        'failed',
        '1',
      ]);
      expect(failed.summary).toContain('load 1');

      await testEnvironment.builder.commit('feature/x', {
        'daily/load.orch.yaml': orchestration('Load all'),
      });
      const passed = await testEnvironment.pullRequest(number, { action, as: 'reader' });
      expect([passed.exitCode, passed.outputs['outcome'], passed.annotations]).toEqual([0, 'passed', []]);
    });
  });
}

interface SecretRun {
  readonly action: string;
  readonly as: 'writer' | 'reader';
  /** Whether the address is the platform's; else nothing listens there. */
  readonly reachable: boolean;
}

export function testNoSecretLeaves(runs: readonly SecretRun[], opened: () => BadPull): void {
  test('no secret leaves the process, even if the pipelines contain it', async () => {
    const { testEnvironment, number } = opened();
    const token = testEnvironment.platform.tokens.admin;
    await testEnvironment.builder.commit('feature/x', { 'daily/load.orch.yaml': orchestration(token) });
    for (const { action, as, reachable } of runs) {
      const address = reachable ? testEnvironment.platform.baseUrl : `http://127.0.0.1:1/${token}`;
      const result = await testEnvironment.pullRequest(number, {
        action,
        as,
        inputs: { 'base-url': address },
      });
      expect(result.exitCode).toBe(reachable ? 1 : 3);
      for (const form of [token, Buffer.from(token).toString('base64')])
        expect(result.raw).not.toContain(form);
    }
    const sent = JSON.stringify(testEnvironment.github.requests.map(({ body }) => body));
    expect(sent).toContain('component-naming-convention');
    expect(sent).not.toContain(token);
  });
}
