import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../../lib/report/report.ts';
import { markdownText } from '../../../lib/report/markdown-text.ts';
import { terminalLines } from '../../../lib/report/terminal.ts';
import { defaultSeed, type Platform, type Seed, startPlatform } from '../../../platform/index.ts';
import { createSharingEnvironment, type ActionEnvironment } from '../../actions/action-environment.ts';
import { sharedPipelines, warehouseFiles } from '../../actions/warehouse-files.ts';
import { inProcess } from '../../cli/in-process.ts';
import { shortWaits } from '../../environment/clock.ts';

const git = promisify(execFile);

/** What both entrances are asked to do. */
interface Case {
  readonly title: string;
  readonly action: string;
  /** The tag or branch of the workflow run. */
  readonly ref?: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** The headline of the report. */
  readonly headline: RegExp | string;
  /** Its notes, if it has any. */
  readonly notes?: readonly string[];
  /** Messages of its findings. */
  readonly findings?: readonly string[];
}

const first = ['--tag', 'v1.0.0'];
const inDev = { pipeline: 'daily/load', environment: 'dev' };
const runInDev = ['run', 'daily/load', '--environment', 'dev'];
const toTest = { version: 'v1.0.0', from: 'dev', to: 'test' };
const promoteToTest = ['promote', '--version', 'v1.0.0', '--from', 'dev', '--to', 'test'];
const second = { ref: 'refs/tags/v1.1.0' };

const removed = (id: string, version: string, now: string): string =>
  `The shared pipeline "${id}" of version ${version} is now called "${now}": pipelines that call it will fail.`;

/** In this order: each case finds what the ones before it left. */
const cases: readonly Case[] = [
  {
    title: 'a publication as a dry run',
    action: 'publish',
    inputs: { 'dry-run': 'true' },
    command: ['publish', ...first, '--dry-run'],
    headline: /^Would publish v1\.0\.0 to dev, 3 files from [0-9a-f]{12}\.$/u,
  },
  {
    title: 'a publication',
    action: 'publish',
    inputs: {},
    command: ['publish', ...first],
    headline: /^Published v1\.0\.0 to dev, 3 files from [0-9a-f]{12}\.$/u,
  },
  {
    title: 'a publication that was done before',
    action: 'publish',
    inputs: {},
    command: ['publish', ...first],
    headline: /^Already published: v1\.0\.0 in dev, from [0-9a-f]{12}\.$/u,
  },
  {
    title: 'a publication of an older version, with a warning',
    action: 'publish',
    inputs: { version: 'v0.9.0', 'dry-run': 'true', older: 'warn' },
    command: ['publish', ...first, '--version', 'v0.9.0', '--dry-run', '--older', 'warn'],
    headline: /^Would publish v0\.9\.0 to dev/u,
    notes: ['v0.9.0 is older than v1.0.0, which is live in dev. Millrace continued with v0.9.0.'],
  },
  {
    title: 'a second publication, whose files the platform ignores in part',
    action: 'publish',
    ...second,
    inputs: {},
    command: ['publish', '--tag', 'v1.1.0'],
    headline: /^Published v1\.1\.0 to dev, 4 files from [0-9a-f]{12}\.$/u,
    findings: [
      'The platform ignored daily/broken.orch.yaml: Line 2, column 1: A "]" is missing before this place.',
    ],
  },
  {
    title: 'shared pipelines',
    action: 'publish-shared',
    inputs: {},
    command: ['publish-shared', ...first],
    headline: /^Published v1\.0\.0 of finance, 1 shared pipeline from [0-9a-f]{12}\.$/u,
  },
  {
    title: 'shared pipelines whose old versions are disabled, and whose id changes',
    action: 'publish-shared',
    ...second,
    inputs: { 'keep-enabled': '1', 'dry-run': 'true' },
    command: ['publish-shared', '--tag', 'v1.1.0', '--keep-enabled', '1', '--dry-run'],
    headline: /^Would publish v1\.1\.0 of finance, 1 shared pipeline from [0-9a-f]{12}\.$/u,
    findings: [removed('clean-up', 'v1.0.0', 'tidy-up')],
  },
  {
    title: 'shared pipelines, published a second time',
    action: 'publish-shared',
    ...second,
    inputs: {},
    command: ['publish-shared', '--tag', 'v1.1.0'],
    headline: /^Published v1\.1\.0 of finance/u,
    findings: [removed('clean-up', 'v1.0.0', 'tidy-up')],
  },
  {
    title: 'a promotion as a dry run',
    action: 'promote',
    inputs: { ...toTest, 'dry-run': 'true' },
    command: [...promoteToTest, '--dry-run'],
    headline: 'Would promote v1.0.0 from dev to test.',
  },
  {
    title: 'a promotion',
    action: 'promote',
    inputs: toTest,
    command: promoteToTest,
    headline: 'Promoted v1.0.0 from dev to test.',
  },
  {
    title: 'a promotion that was done before',
    action: 'promote',
    inputs: toTest,
    command: promoteToTest,
    headline: 'v1.0.0 is already in test.',
  },
  {
    title: 'an execution as a dry run',
    action: 'run',
    inputs: { ...inDev, 'dry-run': 'true' },
    command: [...runInDev, '--dry-run'],
    headline: 'Would run daily/load in dev.',
  },
  {
    title: 'an execution to wait for, as a dry run',
    action: 'run',
    inputs: { attach: '11111111-1111-4111-8111-111111111111', 'dry-run': 'true' },
    command: ['run', '--attach', '11111111-1111-4111-8111-111111111111', '--dry-run'],
    headline: 'Would wait for execution 11111111-1111-4111-8111-111111111111.',
  },
  {
    title: 'an execution that fails with a message of several lines',
    action: 'run',
    inputs: inDev,
    command: runInDev,
    headline: 'daily/load in dev ended: FAILED.',
  },
  {
    title: 'an execution without waiting',
    action: 'run',
    inputs: { pipeline: 'shared/clean up', environment: 'dev', tag: 'night', wait: 'false' },
    command: ['run', 'shared/clean up', '--environment', 'dev', '--tag', 'night', '--no-wait'],
    headline: 'Started shared/clean up in dev.',
  },
  {
    title: 'an execution whose tag is busy',
    action: 'run',
    inputs: { pipeline: 'shared/clean up', environment: 'dev', tag: 'night', 'on-conflict': 'skip' },
    command: ['run', 'shared/clean up', '--environment', 'dev', '--tag', 'night', '--on-conflict', 'skip'],
    headline: 'Not started: an execution of shared/clean up in dev with this tag is already running.',
  },
  {
    title: 'a rollback as a dry run',
    action: 'rollback',
    inputs: { environment: 'dev', 'dry-run': 'true' },
    command: ['rollback', '--environment', 'dev', '--dry-run'],
    headline: 'Would disable v1.1.0 in dev; v1.0.0 would be live.',
  },
  {
    title: 'a rollback',
    action: 'rollback',
    inputs: { environment: 'dev', version: 'v1.1.0' },
    command: ['rollback', '--environment', 'dev', '--version', 'v1.1.0'],
    headline: 'Disabled v1.1.0 in dev; v1.0.0 is live.',
  },
  {
    title: 'a rollback that was done before',
    action: 'rollback',
    inputs: { environment: 'dev', version: 'v1.1.0' },
    command: ['rollback', '--environment', 'dev', '--version', 'v1.1.0'],
    headline: 'v1.1.0 in dev is already disabled; v1.0.0 is live.',
  },
  {
    title: 'a rollback of shared pipelines, which takes an id away',
    action: 'rollback',
    inputs: { shared: 'true' },
    command: ['rollback', '--shared'],
    headline: 'Disabled v1.1.0 of the shared pipelines finance; v1.0.0 is live.',
    notes: [removed('tidy-up', 'v1.1.0', 'clean-up')],
  },
];

const clone = async (from: string, ref: string, to: string): Promise<void> => {
  await git('git', ['clone', '--quiet', '--branch', ref, from, to]);
};

const seed: Seed = {
  executions: [
    { pipeline: 'daily/load', outcome: 'failure', message: 'Traceback:\n  line 3' },
    { pipeline: 'shared/clean up', component: 'Clean up', after: '60m' },
  ],
};

let actions: ActionEnvironment;
/** The platform of the commands. Each case changes the platform of each entrance in the same way. */
let platform: Platform;
let folder: string;

beforeAll(async () => {
  actions = await createSharingEnvironment(warehouseFiles, seed);
  const { builder, folder: parent } = actions;
  await builder.tag('v1.0.0', 'main', 'first');
  await builder.commit('main', {
    'daily/broken.orch.yaml': 'type: [\n',
    '.platform/shared-pipelines.yaml': sharedPipelines.replace('"clean-up"', '"tidy-up"'),
  });
  await builder.tag('v1.1.0', 'main', 'second');
  platform = await startPlatform({
    gitRoot: join(parent, 'git'),
    checkAnswers: true,
    seed: { ...defaultSeed, ...seed },
  });
  folder = join(parent, 'clone');
  await clone(builder.path, 'main', folder);
});
afterAll(async () => {
  await platform.close();
  await actions[Symbol.asyncDispose]();
});

async function byCommand(command: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await inProcess(command, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...platform.environment() },
    clock: shortWaits,
  });
  return stdout.trimEnd().split('\n');
}

/** The report of the action as the action `comment` finds it, and the job summary. */
async function byAction({ action, ref = 'refs/tags/v1.0.0', inputs }: Case) {
  let part = '';
  const { summary } = await actions.push(ref, {
    action: `actions/${action}`,
    inputs: { older: 'allow', ...inputs },
    more: {
      onFinished: ({ outputs }) => {
        part = readFileSync(join(dirname(outputs['report-path'] ?? ''), 'part.json'), 'utf8');
      },
    },
  });
  return { report: JSON.parse(part) as Report, summary };
}

/** The ids and times of executions differ. */
const comparable = (lines: readonly string[]): readonly string[] =>
  lines.map((line) =>
    line
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '<time>'),
  );

test.each(cases)('$title has the same report from the command and the action', async (one) => {
  const shown = await byCommand(one.command);
  const { report, summary } = await byAction(one);
  const { headline, notes, findings } = report;
  expect(headline).toMatch(one.headline);
  expect([notes, findings.map(({ message }) => message)]).toEqual([one.notes ?? [], one.findings ?? []]);
  expect(comparable(shown)).toEqual(comparable(terminalLines(report)));
  expect(summary).toContain(markdownText(report.headline));
});
