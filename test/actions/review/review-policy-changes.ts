import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Changes } from '../../environment/github/bare-repository-builder.ts';
import type { RunResult } from '../../runner/run-action.ts';
import {
  createActionEnvironment,
  repository,
  type ActionRun,
  type ActionEnvironment,
} from '../action-environment.ts';
import { millraceYaml, orchestration, rules } from '../warehouse-files.ts';

const rulesFile = '.platform/config/pipeline_quality_rules.yaml';
const baseline = '.platform/review-baseline.json';
/** The unknown key is on line 5. */
export const brokenSettings = millraceYaml.replace('  agent-version', '  scop: all\n  agent-version');
export const touched = { 'daily/load.orch.yaml': orchestration('Load more') };
export const bad = { 'daily/load.orch.yaml': orchestration('load 1') };
const conflict = '[{"baseline":"millrace review","version":1}\n<<<<<<< ours\n]\n';

export interface PolicyEnvironment {
  readonly testEnvironment: () => ActionEnvironment;
  /** A change of `base`, asked for as a pull request or in the merge queue. */
  review(
    event: string,
    base: string,
    changes: Changes,
    inputs?: Readonly<Record<string, string>>,
  ): Promise<RunResult>;
}

/** Creates the environment of the tests of this file, with branches whose settings, rules or baseline are broken. */
export function createPolicyEnvironment(): PolicyEnvironment {
  let testEnvironment: ActionEnvironment | undefined;
  const opened = (): ActionEnvironment => {
    if (testEnvironment === undefined) throw new Error('The environment is created before the tests.');
    return testEnvironment;
  };
  beforeAll(async () => {
    testEnvironment = await createActionEnvironment();
    const { builder } = testEnvironment;
    await builder.commit('broken-settings', { 'millrace.yaml': brokenSettings }, { from: 'main' });
    await builder.commit('broken-rules', { [rulesFile]: 'rules: {}\n' }, { from: 'main' });
    const empty = conflict.replace('<<<<<<< ours\n', '');
    await builder.commit('with-baseline', { [baseline]: empty }, { from: 'main' });
    await builder.commit('broken-baseline', { [baseline]: conflict }, { from: 'main' });
  });
  afterAll(() => opened()[Symbol.asyncDispose]());

  let branches = 0;

  async function review(
    event: string,
    base: string,
    changes: Changes,
    inputs: Readonly<Record<string, string>> = { local: 'true' },
  ): Promise<RunResult> {
    branches += 1;
    const current = opened();
    const queue = event === 'merge_group';
    const branch = `${queue ? 'gh-readonly-queue/main/' : ''}change-${String(branches)}`;
    const sha = await current.builder.commit(branch, changes, { from: base });
    const run: ActionRun = { action: '', as: 'reader', inputs };
    if (!queue) {
      const number = current.github.openPull(repository, { head: branch, base });
      return await current.pullRequest(number, run);
    }
    const base_sha = (await current.github.repository(repository).git.commit(`refs/heads/${base}`)) ?? '';
    const ref = `refs/heads/${branch}`;
    const merge_group = { head_ref: ref, head_sha: sha, base_ref: `refs/heads/${base}`, base_sha };
    const payload = { action: 'checks_requested', merge_group };
    return await current.event({ name: 'merge_group', payload, ref, sha }, run);
  }

  return { testEnvironment: opened, review };
}

export function places({ annotations }: RunResult): string[] {
  return annotations
    .filter(({ title }) => title !== 'millrace/policy-changed')
    .map(({ title, file, line }) => `${title ?? ''} ${file ?? ''}:${String(line)}`);
}

/** Each change, how its review ends and where. */
const policyChanges: readonly (readonly [
  what: string,
  base: string,
  changes: Changes,
  exitCode: number,
  places: readonly string[],
])[] = [
  [
    'breaks the settings',
    'main',
    { 'millrace.yaml': brokenSettings },
    1,
    ['millrace/config-invalid millrace.yaml:5'],
  ],
  [
    'breaks the settings and touches a pipeline',
    'main',
    { 'millrace.yaml': brokenSettings, ...touched },
    1,
    ['millrace/config-invalid millrace.yaml:5'],
  ],
  ['repairs the settings', 'broken-settings', { 'millrace.yaml': millraceYaml }, 0, []],
  ['takes broken settings away', 'broken-settings', { 'millrace.yaml': null, ...touched }, 0, []],
  [
    'repairs the settings and breaks a rule',
    'broken-settings',
    { 'millrace.yaml': millraceYaml, ...bad },
    1,
    ['component-naming-convention daily/load.orch.yaml:10'],
  ],
  [
    'leaves broken settings as they are',
    'broken-settings',
    touched,
    2,
    ['Millrace: config-invalid millrace.yaml:5'],
  ],
  ['breaks the rules file', 'main', { [rulesFile]: 'rules: {}\n' }, 1, [`rules-file ${rulesFile}:1`]],
  ['deletes the rules file', 'main', { [rulesFile]: null }, 1, [`rules-file ${rulesFile}:1`]],
  ['repairs the rules file', 'broken-rules', { [rulesFile]: rules }, 0, []],
  [
    'breaks the baseline',
    'with-baseline',
    { [baseline]: conflict },
    1,
    [`millrace/config-invalid ${baseline}:2`],
  ],
  [
    'begins with a broken baseline',
    'main',
    { [baseline]: conflict },
    2,
    [`Millrace: config-invalid ${baseline}:2`],
  ],
  ['repairs the baseline', 'broken-baseline', { [baseline]: null, ...touched }, 0, []],
  [
    'loosens its own gate',
    'main',
    { 'millrace.yaml': millraceYaml.replace('review:\n', 'review:\n  fail-on: never\n'), ...bad },
    1,
    ['component-naming-convention daily/load.orch.yaml:10'],
  ],
];

/**
 * @param belongs whether a change belongs to this file
 */
export function testPolicyChanges({ review }: PolicyEnvironment, event: string): void {
  describe(`on ${event}`, () => {
    test.each(policyChanges)(
      'a change that %s ends as it should',
      async (what, base, changes, exitCode, wanted) => {
        const result = await review(event, base, changes);
        expect([what, result.exitCode, places(result)]).toEqual([what, exitCode, wanted]);
      },
    );
  });
}
