import { numberOf } from '../../lib/core/text/number-of.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';
import type { Reason } from './reasons.ts';
import type { PipelineRecord, ProjectRecord } from './run-project.ts';
import type { TestCounts } from './task.ts';

const statuses = [
  'success',
  'success-with-replaced',
  'end-failure',
  'has-test',
  'none',
  'time-limit',
  'crashed',
  'left-out',
] as const satisfies readonly PipelineRecord['status'][];

/** The number of pipelines and tests for each result, with their time. */
export interface Totals {
  readonly pipelines: number;
  readonly outcomes: Readonly<Record<PipelineRecord['status'], number>>;
  /** `unfinished`: files whose tests reached the time limit or ended the process. */
  readonly tests: TestCounts & { readonly unfinished: number };
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** A reason that several pipelines may have. */
export interface GroupedReason extends Reason {
  /** How many pipelines or test files have it. */
  readonly count: number;
  /** How many of these are pipelines without a test. */
  readonly withoutTest: number;
  /** The first pipeline or test file with the reason. */
  readonly example: string;
}

/** The result of `npm run corpus`. */
export interface CorpusReport {
  readonly projects: readonly (Totals & { readonly project: string; readonly error?: string })[];
  readonly total: Totals;
  /** The most frequent first. */
  readonly reasons: readonly GroupedReason[];
  /** The pipelines that took most CPU time, and those that reached the time limit before them. */
  readonly slowest: readonly {
    readonly pipeline: string;
    readonly seconds: number;
    readonly cpuSeconds: number;
  }[];
}

const maxSlowest = 5;

/** Counts what happened in all projects. */
export function corpusReport(records: readonly ProjectRecord[]): CorpusReport {
  const all = records.flatMap(({ project, pipelines }) =>
    pipelines.map((record) => ({ ...record, pipeline: inProject(project, record.pipeline) })),
  );
  const weight = ({ status, cpuSeconds }: PipelineRecord) =>
    status === 'time-limit' ? Infinity : cpuSeconds;
  return {
    projects: records.map((record) => ({
      project: record.project === '' ? '.' : record.project,
      ...(record.error === undefined ? {} : { error: record.error }),
      ...totalsOf([record]),
    })),
    total: totalsOf(records),
    reasons: groupReasons(records),
    slowest: all
      .filter(({ seconds }) => seconds > 0)
      .toSorted((a, b) => (weight(a) === weight(b) ? 0 : weight(b) - weight(a)))
      .slice(0, maxSlowest)
      .map(({ pipeline, seconds, cpuSeconds }) => ({ pipeline, ...rounded({ seconds, cpuSeconds }) })),
  };
}

function inProject(project: string, file: string): string {
  return project === '' ? file : `${project}/${file}`;
}

function rounded<Times extends { readonly seconds: number; readonly cpuSeconds: number }>({
  seconds,
  cpuSeconds,
}: Times) {
  const round = (value: number) => Math.round(value * 10) / 10;
  return { seconds: round(seconds), cpuSeconds: round(cpuSeconds) };
}

function totalsOf(records: readonly ProjectRecord[]): Totals {
  const pipelines = records.flatMap((record) => record.pipelines);
  const files = records.flatMap((record) => record.tests);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0);
  const tests = (key: keyof TestCounts) => sum(files.map((file) => file.tests?.[key] ?? 0));
  const count = (status: PipelineRecord['status']) =>
    pipelines.filter((pipeline) => pipeline.status === status).length;
  const times = [...pipelines, ...files];
  return {
    pipelines: pipelines.length,
    outcomes: Object.fromEntries(statuses.map((status) => [status, count(status)])) as Totals['outcomes'],
    tests: {
      passed: tests('passed'),
      failed: tests('failed'),
      refused: tests('refused'),
      wrong: tests('wrong'),
      unfinished: files.filter((file) => file.tests === undefined).length,
    },
    ...rounded({
      seconds: sum(times.map(({ seconds }) => seconds)),
      cpuSeconds: sum(times.map(({ cpuSeconds }) => cpuSeconds)),
    }),
  };
}

/** Groups the reasons. A pipeline or test file counts once for a reason, even if it has the reason several times. */
function groupReasons(records: readonly ProjectRecord[]): readonly GroupedReason[] {
  const results = records.flatMap(({ project, pipelines, tests }) => [
    ...pipelines.map(({ pipeline, status, reasons }) => ({
      name: inProject(project, pipeline),
      reasons,
      isUntested: ['none', 'time-limit', 'crashed', 'left-out'].includes(status),
    })),
    ...tests.map(({ file, reasons }) => ({ name: inProject(project, file), reasons, isUntested: false })),
  ]);
  const groups = new Map<string, GroupedReason>();
  for (const { name, reasons, isUntested } of results) {
    for (const [key, reason] of new Map(reasons.map((entry) => [`${entry.kind}: ${entry.what}`, entry]))) {
      const { count = 0, withoutTest = 0, example = name } = groups.get(key) ?? {};
      groups.set(key, {
        ...reason,
        count: count + 1,
        withoutTest: withoutTest + Number(isUntested),
        example,
      });
    }
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count || b.withoutTest - a.withoutTest);
}

/** The report for a terminal. */
export function corpusLines({ projects, total, reasons, slowest }: CorpusReport): readonly string[] {
  return [
    ...projects.flatMap(({ project, error, ...totals }) => [
      oneLine(project),
      ...(error === undefined ? totalLines(totals) : [`not opened: ${oneLine(error)}`]).map(
        (line) => `  ${line}`,
      ),
    ]),
    ...(projects.length === 1
      ? []
      : ['', `All ${numberOf(projects.length, 'project')}`, ...totalLines(total).map((line) => `  ${line}`)]),
    ...(slowest.length === 0 ? [] : ['', 'Most CPU time for a first test']),
    ...slowest.map(
      ({ pipeline, seconds, cpuSeconds }) => `  ${timesText({ seconds, cpuSeconds })}: ${oneLine(pipeline)}`,
    ),
    ...(reasons.length === 0 ? [] : ['', 'Reasons, by the number of pipelines and test files']),
    ...reasons.map(({ count, withoutTest, kind, what, example }) => {
      const without = withoutTest === 0 ? '' : `, ${withoutTest} without a test`;
      return `  ${count}${without}: ${kind}: ${oneLine(what)} (${oneLine(example)})`;
    }),
  ];
}

function totalLines({ pipelines, outcomes, tests, ...times }: Totals): readonly string[] {
  const { passed, failed, refused, wrong, unfinished } = tests;
  return [
    `${numberOf(pipelines, 'pipeline')}: ${listText([
      [outcomes.success, 'succeed in their first test'],
      [outcomes['success-with-replaced'], 'succeed with what cannot run mocked'],
      [outcomes['end-failure'], 'end in an end-failure of their own'],
      [outcomes['has-test'], 'have a test already'],
      [outcomes.none, 'get no test'],
      [outcomes['time-limit'], 'reach the time limit'],
      [outcomes.crashed, 'crash'],
      [outcomes['left-out'], 'are left out'],
    ])}`,
    `tests: ${passed} passed, ${failed} failed, ${refused} refused${listText(
      [
        [wrong, 'files wrong'],
        [unfinished, 'files unfinished'],
      ],
      ', ',
    )}`,
    timesText(times),
  ];
}

function listText(counts: readonly (readonly [count: number, what: string])[], before = ''): string {
  const parts = counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`]));
  return parts.length === 0 ? '' : `${before}${parts.join(', ')}`;
}

function timesText({
  seconds,
  cpuSeconds,
}: {
  readonly seconds: number;
  readonly cpuSeconds: number;
}): string {
  return `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU`;
}
