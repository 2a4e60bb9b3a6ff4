import { mkdtemp } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkOut } from '../../runner/check-out.ts';
import { runWorkflowJob } from '../../runner/run-workflow-job.ts';
import { createActionEnvironment, repository } from '../action-environment.ts';
import { manyViolations } from '../warehouse-files.ts';

interface Called {
  readonly on: {
    readonly workflow_call: {
      readonly inputs: Readonly<
        Record<string, { required?: boolean; default?: string | boolean | number; type: string }>
      >;
      readonly secrets: Readonly<Record<string, unknown>>;
      readonly outputs: Readonly<Record<string, { value: string }>>;
    };
  };
  readonly jobs: Readonly<
    Record<
      string,
      {
        permissions: Record<string, string>;
        outputs: Record<string, string>;
        steps: { uses: string; with?: Record<string, unknown> }[];
      }
    >
  >;
}
interface Caller {
  readonly permissions: Readonly<Record<string, string>>;
  readonly uses: string;
  readonly with: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
}

const root = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const files = ['review.yml', 'release-version.yml', 'promote.yml'];
const called = (file: string) => parse(read(`.github/workflows/${file}`)) as Called;
const manifest = (path: string) =>
  parse(read(`${path}/action.yml`)) as {
    inputs: Record<string, { default?: unknown; required?: boolean }>;
    outputs: object;
  };

/** The calling jobs on the page. */
const callers = Array.from(
  read('docs/actions/workflows.md').matchAll(/^```yaml\n(.*?)^```$/gmsu),
  ([, block = '']) => parse(block) as { jobs: Record<string, Caller> },
).flatMap(({ jobs }) => Object.values(jobs));

const defaultsOf = ({ on }: Called) =>
  Object.fromEntries(
    Object.entries(on.workflow_call.inputs).map(([name, { default: value = '' }]) => [name, String(value)]),
  );

test.each(callers.map((caller) => [caller.uses, caller] as const))(
  'the page calls %s with inputs and secrets that it has, and exactly its permissions',
  (uses, caller) => {
    const [, file = ''] = /^your-account\/millrace\/\.github\/workflows\/(.+)@0{40}$/u.exec(uses) ?? [];
    const { on, jobs } = called(file);
    const { inputs, secrets } = on.workflow_call;
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(caller.with)));
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(Object.keys(caller.secrets)));
    const required = Object.keys(inputs).filter((name) => inputs[name]?.required === true);
    expect(Object.keys(caller.with)).toEqual(expect.arrayContaining(required));
    expect(Object.values(jobs).map(({ permissions }) => permissions)).toEqual([caller.permissions]);
  },
);

test('the page calls each of the reusable workflows', () => {
  expect(callers.map(({ uses }) => uses.replace(/^.*\/(.+)@.*$/u, '$1'))).toEqual(files);
});

test.each(files)('%s gives every input to its action, with the default of the action', (file) => {
  const { on, jobs } = called(file);
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const own = steps.filter(({ uses }) => uses.startsWith('$/'));
  expect(own).toHaveLength(1);
  const { uses = '', with: given = {} } = own[0] ?? {};
  const { inputs, outputs } = manifest(uses.slice(2));
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  const ofRunner = ['runs-on', 'timeout-minutes'];
  for (const [name, { default: value, required }] of Object.entries(on.workflow_call.inputs)) {
    if (ofRunner.includes(name)) continue;
    expect(given[name]).toBe(`\${{ inputs.${name} }}`);
    expect([name, value === undefined ? undefined : String(value)]).toEqual([name, inputs[name]?.default]);
    if (inputs[name]?.required === true) expect([name, required]).toEqual([name, true]);
  }
  const [job = ''] = Object.keys(jobs);
  for (const [name, { value }] of Object.entries(on.workflow_call.outputs)) {
    expect(value).toBe(`\${{ jobs.${job}.outputs.${name} }}`);
    expect(jobs[job]?.outputs[name]).toBe(`\${{ steps.${job}.outputs.${name} }}`);
    expect(Object.keys(outputs)).toContain(name);
  }
});

test('the called review reports what it finds, and counts only new problems if it is asked to', async () => {
  await using testEnvironment = await createActionEnvironment();
  await testEnvironment.builder.commit('main', { 'many.tran.yaml': manyViolations(2) });
  await testEnvironment.builder.commit(
    'feature/x',
    { 'many.tran.yaml': `${manyViolations(2)}\n` },
    { from: 'main' },
  );
  const number = testEnvironment.github.openPull(repository, { head: 'feature/x', base: 'main' });
  const { mergeSha: sha, ...event } = await testEnvironment.github.events.pullRequest(repository, number);
  const ref = `refs/pull/${String(number)}/merge`;
  const review = async (inputs: Record<string, string>) => {
    const workspace = await mkdtemp(join(testEnvironment.folder, 'workspace-'));
    await checkOut({ remote: testEnvironment.builder.path, folder: workspace, sha, ref });
    return runWorkflowJob({
      file: join(root, '.github/workflows/review.yml'),
      job: 'review',
      root,
      workspace,
      event,
      eventName: 'pull_request',
      ref,
      sha,
      repository,
      repositoryId: testEnvironment.github.repository(repository).id,
      apiUrl: testEnvironment.github.apiUrl,
      serverUrl: testEnvironment.github.url,
      token: 'writer',
      called: {
        inputs: { ...defaultsOf(called('review.yml')), ...inputs },
        secrets: {
          MILLRACE_TOKEN: testEnvironment.platform.tokens.admin,
          MILLRACE_CLIENT_SECRET: '',
          MILLRACE_EVIDENCE_KEY: '',
          MILLRACE_EVIDENCE_TOKEN: '',
        },
      },
    });
  };
  expect((await review({ 'base-url': testEnvironment.platform.baseUrl })).steps).toEqual({
    review: 'failure',
  });
  expect((await review({ local: 'true', 'new-only': 'true' })).steps).toEqual({ review: 'success' });
});
