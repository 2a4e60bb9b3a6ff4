import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { reviewWorkflow, testWorkflow, unknownCopy } from '../../../flows/init/workflow-text.ts';
import { createActionEnvironment, repository } from '../action-environment.ts';
import { orchestration, warehouseFiles } from '../warehouse-files.ts';

const root = join(import.meta.dirname, '..', '..', '..');

interface Step {
  readonly uses?: string;
  readonly if?: string;
}
interface Workflow {
  readonly on?: string | readonly string[] | Readonly<Record<string, { types?: readonly string[] } | null>>;
  readonly jobs?: Readonly<
    Record<string, Step & { readonly needs?: unknown; readonly steps?: readonly Step[] | null }>
  >;
}

/** The actions whose result depends on the base of a pull request. */
const dependsOnBase =
  /(?:\/(?:actions\/(?:review|pull-request|test|diff|variables)|workflows\/review\.yml|millrace)(?:@|$))/u;

const blocks = globSync(['README.md', 'docs/**/*.md', 'actions/*/README.md'], { cwd: root }).flatMap((page) =>
  Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(/^```yaml\n(.*?)^```$/gmsu),
    ([, text = ''], index) => [`${page}, block ${index + 1}`, text] as const,
  ),
);
const files = globSync(['examples/workflows/*.yml', '.github/workflows/*.yml'], { cwd: root }).map(
  (file) => [file, readFileSync(join(root, file), 'utf8')] as const,
);
const choices = { directory: '', branch: 'main', actions: unknownCopy, hasProject: true };
const ofInit = [
  ['the review of init', reviewWorkflow({ ...choices, hasTests: true })],
  ['the test of init', testWorkflow(choices)],
] as const;

const workflows = [...blocks, ...files, ...ofInit].flatMap(([name, text]) => {
  // A page also has blocks with several files.
  if (!/^(?:on|"on"):/mu.test(text)) return [];
  const { on, jobs } = (parse(text, { uniqueKeys: false }) ?? {}) as Workflow;
  const isAbout = JSON.stringify(on ?? '').includes('pull_request');
  const own = Object.values(jobs ?? {}).filter(({ uses = '', steps }) =>
    [uses, ...(steps ?? []).map((step) => step.uses ?? '')].some((one) => dependsOnBase.test(one)),
  );
  return isAbout && own.length > 0 ? [{ name, on, jobs: own }] : [];
});

test('the workflows on pull requests are found on pages, in examples and in what init writes', () => {
  expect(workflows.length).toBeGreaterThanOrEqual(10);
});

test.each(workflows)('$name runs again when the base of a pull request changes', ({ on }) => {
  const trigger = typeof on === 'object' && 'pull_request' in on ? on.pull_request : undefined;
  expect(trigger?.types).toEqual(['opened', 'synchronize', 'reopened', 'edited']);
});

test.each(workflows)('$name skips nothing: a skipped job or step would count as passed', ({ jobs }) => {
  for (const job of jobs) {
    // GitHub skips a job if one that it needs has failed.
    expect(job.if).toBe(job.needs === undefined ? undefined : 'always()');
    for (const step of job.steps ?? []) {
      if (dependsOnBase.test(step.uses ?? '')) expect(step.if ?? '').not.toMatch(/action|changes/u);
    }
  }
});

describe('a pull request that gets another base', () => {
  const strict = warehouseFiles['millrace.yaml'] ?? '';
  const loose = strict.replace('review:\n', 'review:\n  fail-on: never\n');

  async function retargeted() {
    const testEnvironment = await createActionEnvironment();
    const { builder, github } = testEnvironment;
    await builder.commit('dev', { 'millrace.yaml': loose }, { from: 'main' });
    await builder.commit('feature/x', { 'daily/load.orch.yaml': orchestration('load 1') }, { from: 'dev' });
    const number = github.openPull(repository, { head: 'feature/x', base: 'dev' });
    const { mergeSha: sha, ...payload } = await github.events.pullRequest(repository, number, 'opened');
    const ref = `refs/pull/${String(number)}/merge`;
    const opened = { name: 'pull_request', payload, ref, sha };
    const [pull] = github.repository(repository).pulls;
    if (pull !== undefined) pull.baseRef = 'main';
    return { testEnvironment, number, opened };
  }

  test('is reviewed by the settings of the new base on edited', async () => {
    const { testEnvironment, number } = await retargeted();
    await using environment = testEnvironment;
    const { github } = environment;
    const { mergeSha: sha, ...payload } = await github.events.pullRequest(repository, number, 'edited');
    const changes = { base: { ref: { from: 'dev' }, sha: { from: '0'.repeat(40) } } };
    const ref = `refs/pull/${String(number)}/merge`;
    const event = { name: 'pull_request', payload: { ...payload, changes }, ref, sha };
    const result = await environment.event(event, { action: '', inputs: { local: 'true' } });
    expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'failed']);
  });

  test('is reviewed by the settings of the new base, if the run for the old base is run again', async () => {
    const { testEnvironment, opened } = await retargeted();
    await using environment = testEnvironment;
    const result = await environment.event(opened, { action: '', inputs: { local: 'true' } });
    expect([result.exitCode, result.outputs['outcome']]).toEqual([1, 'failed']);
    expect(result.log).toContain(
      'The base of the pull request was changed from "dev", as in the event, to "main"',
    );
  });

  test('has no data diff with the test merge of the old base', async () => {
    const { testEnvironment, opened } = await retargeted();
    await using environment = testEnvironment;
    const result = await environment.event(opened, { action: 'actions/diff', inputs: { engine: root } });
    expect(result.exitCode).toBe(2);
    expect(result.annotations[0]?.message).toContain('was changed from "dev", as in the event, to "main"');
  });
});
