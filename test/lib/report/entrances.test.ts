import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DataDiff } from '../../../flows/diff/data-diff.ts';
import { reportOfDiff } from '../../../flows/diff/report.ts';
import { reportOfTests } from '../../../flows/pipeline-tests/report/report.ts';
import type { TestReport } from '../../../flows/pipeline-tests/run/test-report.ts';
import { reportOfReview } from '../../../flows/review/report.ts';
import type { ReviewReport } from '../../../flows/review/scope/review-request.ts';
import type { Report } from '../../../lib/report/report.ts';
import { repository } from '../../actions/action-environment.ts';
import {
  filtered,
  pipeline,
  testedRepository,
  type TestedRepository,
} from '../../actions/tests/tested-repository.ts';
import { startAssistant } from '../../cli/assistant/assistant.ts';
import { inProcess } from '../../cli/in-process.ts';
import { startEditor } from '../../cli/language-server/editor.ts';
import { namingRule, pipelineOf, rulesPath } from '../../flows/review/review-project.ts';

const git = promisify(execFile);
const baseline = '.platform/review-baseline.json';
const settings = `version: 1
review:
  scope: all
  suppress: [{ rule: component-naming-convention, file: accepted.orch.yaml, reason: Later }]
`;
const newFile = pipelineOf('Start', 'bad name');

let tested: TestedRepository;
let folder: string;
let number: number;

/** A pull request whose review has new, known and suppressed findings, whose test fails, and whose data changes. */
beforeAll(async () => {
  tested = await testedRepository({
    'millrace.yaml': settings,
    [rulesPath]: namingRule,
    'old.orch.yaml': pipelineOf('Start', 'old name'),
    'accepted.orch.yaml': pipelineOf('Start', 'accepted name'),
  });
  const before = await cloneOf('main');
  await inProcess(['review', '--local', '--update-baseline'], optionsOf(before));
  await tested.commit({ [baseline]: readFileSync(join(before, baseline), 'utf8') }, 'main');
  number = await tested.openPull({ 'new.orch.yaml': newFile, [pipeline]: filtered });
  folder = await cloneOf('feature/x');
});
afterAll(() => tested[Symbol.asyncDispose]());

async function cloneOf(branch: string): Promise<string> {
  const { folder: parent, builder } = tested.environment;
  const clone = await mkdtemp(join(parent, 'clone-'));
  await git('git', ['clone', '--quiet', '--branch', branch, builder.path, clone]);
  return clone;
}

const optionsOf = (cwd: string) => ({ cwd, env: { PATH: process.env.PATH ?? '' } });
const command = async (...args: string[]): Promise<string> =>
  (await inProcess(args, optionsOf(folder))).stdout;
const asJson = async (...args: string[]): Promise<unknown> => JSON.parse(await command(...args, '--json'));

/** Markdown as a reader sees it: without tags, entities and the invisible characters between letters. */
function plain(markdown: string | undefined): string {
  return (markdown ?? '')
    .replaceAll(/<[^>]*>/gu, '')
    .replaceAll(/&#(\d+);/gu, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('\u200B', '');
}

/** What the action shows, by place. */
async function byAction(action: string, inputs: Readonly<Record<string, string>>) {
  const { summary, log } = await tested.run(number, { action, inputs });
  return { 'the job summary': plain(summary), 'the log of the action': log };
}

/** What an entrance must say: all texts of a report. Durations and the name of a base differ. */
function textsOf({ headline, facts, findings, tables = [], blocks = [], notes }: Report): readonly string[] {
  const newFindings = findings.filter(({ state }) => state === 'new');
  return [
    headline,
    ...facts.map(([label, value]) => `${label}: ${value}`),
    ...notes.map((note) => note.replace(/^Compared with .*?, on/u, 'on')),
    // Blocks show the findings of their report in detail.
    ...(blocks.length > 0 ? [] : newFindings.flatMap(({ message, rule }) => [message, rule])),
    ...tables.flatMap(({ rows }) => rows.map((cells) => cells.join(' '))),
    ...blocks.flatMap(({ title, lines }) => [title, ...lines.map((line) => line.replace(/\d+ ms$/u, ''))]),
  ];
}

/** Texts without the frame of their place: table, quotation, indentation. */
const collapsed = (text: string): string => text.replaceAll(/[|\s>]+/gu, ' ').trim();

function missingIn(shown: string, report: Report): readonly string[] {
  const text = collapsed(shown);
  return textsOf(report).filter((one) => !text.includes(collapsed(one)));
}

describe('a review', () => {
  let review: ReviewReport;
  let places: Readonly<Record<string, string>>;
  beforeAll(async () => {
    review = (await asJson('review', '--local')) as ReviewReport;
    const action = await byAction('', { local: 'true' });
    const { checkRuns, comments } = tested.environment.github.repository(repository);
    const { title, summary } = checkRuns.at(-1)?.output ?? {};
    places = {
      'the command, as text': await command('review', '--local'),
      'the command, as Markdown': plain(await command('review', '--local', '--format', 'markdown')),
      ...action,
      'the check run': `${title ?? ''}\n${plain(summary ?? '')}`,
      'the comment': plain(comments.at(-1)?.body ?? ''),
    };
  });

  test('has a headline and notes in plain words', () => {
    const { headline, notes } = reportOfReview(review);
    expect([headline, ...notes]).toEqual([
      '4 files reviewed (all pipelines of the project): 1 error.',
      '1 finding is in the baseline and does not count.',
      '1 finding is suppressed by `review.suppress` in millrace.yaml and does not count.',
    ]);
  });

  test.each([
    'the command, as text',
    'the command, as Markdown',
    'the job summary',
    'the log of the action',
    'the check run',
    'the comment',
  ])('has the same facts and words in %s', (place) => {
    expect(missingIn(places[place] ?? '', reportOfReview(review))).toEqual([]);
  });

  test('has the same findings in each format for programs, for an assistant and in an editor', async () => {
    const [found] = review.findings;
    if (found === undefined) throw new Error('The review has no finding.');
    const { message, line, column } = found;
    expect(found.rule).toBe('component-naming-convention');
    for (const format of ['json', 'sarif', 'gitlab'])
      expect(await command('review', '--local', '--format', format)).toContain(JSON.stringify(message));
    expect(await command('review', '--local', '--format', 'junit')).toContain(
      `new.orch.yaml:${line}:${column} ${message.replaceAll('"', '&quot;')}`,
    );
    await using assistant = await startAssistant(folder);
    const { json } = await assistant.call('review', {});
    expect(json).toMatchObject({ findings: review.findings, counts: review.counts });
    await using editor = await startEditor(folder);
    await editor.open('new.orch.yaml', newFile);
    expect(await editor.findings('new.orch.yaml', 1)).toEqual([expect.stringContaining(message)]);
  });
});

describe('a test run', () => {
  test('has the same facts and words in each place', async () => {
    const report = reportOfTests((await asJson('test', '--coverage')) as TestReport);
    const { headline, facts } = report;
    expect([headline, ...facts.map((fact) => fact.join(': '))]).toEqual([
      '1 test: 0 passed, 1 failed, 0 refused.',
      'components reached: 3 of 9',
      'transitions reached: 0 of 3',
    ]);
    const places = {
      'the command, as text': await command('test', '--coverage'),
      'the command, as Markdown': plain(await command('test', '--coverage', '--format', 'markdown')),
      ...(await byAction('actions/test', { coverage: 'true' })),
    };
    for (const [place, text] of Object.entries(places))
      expect([place, missingIn(text, report)]).toEqual([place, []]);
  });
});

describe('a data diff', () => {
  test('has the same facts and words in each place', async () => {
    const diff = ['diff', '--base', 'origin/main'];
    const report = reportOfDiff((await asJson(...diff)) as DataDiff);
    expect(report.headline).toBe(
      'Data changes in 1 table: orders +0 −1 ~0 in 1 test; no test runs 1 change.',
    );
    const action = await byAction('actions/diff', {});
    const places = {
      'the command, as text': await command(...diff),
      'the command, as Markdown': plain(await command(...diff, '--format', 'markdown')),
      ...action,
      'the comment': plain(tested.comments().at(-1)),
    };
    for (const [place, text] of Object.entries(places))
      expect([place, missingIn(text, report)]).toEqual([place, []]);
  });
});
