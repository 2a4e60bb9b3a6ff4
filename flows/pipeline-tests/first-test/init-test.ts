import { type FailedComponent, SqlError, type Warehouse } from '../../../engine/index.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { guessType } from './examples/guess-type.ts';
import type { ColumnSources, KnownTables } from './column-types.ts';
import { isMockable, mockFailedCall, mockRefused } from './mock-refused.ts';
import { takeOtherBranch } from './other-branch.ts';
import { refuseBroken } from '../files/broken-pipeline.ts';
import { type PlannedTest, planTests } from '../files/planned-test.ts';
import { readTestFile } from '../files/read-test-file.ts';
import { type DifferingParts, recordExpectations, writtenTables } from './record-expectations.ts';
import { execute, runTest, type TestSetting } from '../run/run-test.ts';
import { tableText } from './example-rows.ts';
import { type ChosenParts, maxRepairs, openRepairs } from './repair-in-place.ts';
import { repairParts } from './repair-parts.ts';
import { tryOtherRows } from './row-trials.ts';
import { noParts, type TestParts } from './test-parts.ts';
import { variableLines } from './variable-lines.ts';
import type { TestProject } from '../files/test-project.ts';
import type { Difference } from '../compare/test-result.ts';
import type { TestRun } from '../compare/test-run.ts';
import { yamlText } from '../files/yaml-text.ts';

/** A first test that was written for a pipeline. */
export interface FirstTest {
  readonly text: string;
  /** Components that the test mocks, as it names them. */
  readonly mocked: readonly string[];
  /** Constructs that the engine refused: then there is no test. */
  readonly refused: readonly FailedComponent[];
  /** Why the pipeline fails with every example: then no test is written. */
  readonly failed: FailedComponent | undefined;
  /** The test expects that the pipeline ends in an end-failure of its own. */
  readonly expectsFailure: boolean;
  /** Why components are mocked that the engine refuses, or assertions that the example rows do not meet. */
  readonly replaced: readonly FailedComponent[];
  /** Tables in which the test expects no rows, because no example row gets there. */
  readonly empty: readonly string[];
}

const noTest = { text: '', mocked: [], refused: [], replaced: [], empty: [], expectsFailure: false } as const;

/** What is needed to write a first test. */
export interface FirstTestSetting extends TestSetting {
  /** What the pipelines of the project do with tables. Default: nothing is known. */
  readonly known?: KnownTables | undefined;
}

const nothingKnown: KnownTables = () => Promise.resolve(undefined);

/** Each round adds one table, column or mock. */
const maxRounds = 300;

/**
 * Writes a first test. Runs the pipeline, adds what is missing (a table, a column, a mock) until the run ends, and
 * records the result. The test then passes. A failure is recorded only if the pipeline itself decides to fail.
 * Throws FileProblems for an invalid pipeline.
 */
export async function initTest(
  pipeline: string,
  file: string,
  warehouse: Warehouse,
  setting: FirstTestSetting,
): Promise<FirstTest> {
  const document = setting.project.pipeline(pipeline);
  if (document === undefined) throw new Error(`no pipeline ${pipeline}`);
  refuseBroken(document);
  let best: FirstTest | undefined;
  let needsMocks = false;
  let failsElsewhere = false;
  for (const trial of [
    { guess: guessType, mocksRefused: false },
    // A wrong guess fails if the pipeline converts values itself: most conversions start from a text.
    { guess: () => 'VARCHAR', mocksRefused: false },
    { guess: guessType, mocksRefused: true },
    { guess: () => 'VARCHAR', mocksRefused: true },
    { guess: guessType, mocksRefused: true, mocksCalls: true },
  ]) {
    if (trial.mocksRefused && !(trial.mocksCalls === true ? failsElsewhere : needsMocks)) continue;
    const firstTest = await attempt({ pipeline, file, ...trial }, warehouse, setting);
    if (firstTest.text !== '' && !firstTest.expectsFailure) return firstTest;
    needsMocks ||= [...firstTest.refused, firstTest.failed].some(
      (failure) => failure !== undefined && isMockable(failure, setting.project),
    );
    failsElsewhere ||= firstTest.failed !== undefined && ![pipeline, ''].includes(firstTest.failed.pipeline);
    if (best === undefined || (best.text === '' && firstTest.text !== '')) best = firstTest;
  }
  if (best === undefined) throw new Error('no attempt');
  return best;
}

async function attempt(
  {
    pipeline,
    file,
    guess,
    mocksRefused,
    mocksCalls = false,
  }: Pick<TestParts, 'file' | 'guess'> & {
    readonly pipeline: string;
    readonly mocksRefused: boolean;
    readonly mocksCalls?: boolean;
  },
  warehouse: Warehouse,
  setting: FirstTestSetting,
): Promise<FirstTest> {
  const { project, declared, known = nothingKnown } = setting;
  const parts = noParts({ pipeline: withoutSuffix(pipeline), path: pipeline, file, guess });
  const context = { project, declared, known };
  const repairs = openRepairs(parts, {
    warehouse,
    setting,
    known,
    mocksRefused,
    async plan(chosen) {
      const text = render(parts, placeholder(pipeline, project), project, chosen);
      const [planned] = planTests(await readText(text, parts.file, project), project);
      return planned;
    },
  });
  let ended: FirstTest | undefined;
  for (let round = 0; round < maxRounds; round += 1) {
    const [planned] = planTests(await readParts(parts, placeholder(pipeline, project), project), project);
    if (planned === undefined) throw new Error('a first test without a test');
    try {
      const run = await execute(planned, warehouse, setting, { repair: repairs.repair });
      if (repairs.isExhausted) break;
      if (repairs.takeChange()) continue;
      if (await repairsAny(parts, run.failures, context)) continue;
      const written = run.state.status === 'SUCCESS' ? await writtenTables(run) : undefined;
      if (tryOtherRows(parts.rows, written)) continue;
      if (mocksRefused && run.failures.some((failure) => mockRefused(parts, failure, project))) continue;
      if (mocksCalls && run.failures.some((failure) => mockFailedCall(parts, failure, project))) continue;
      const refused = run.failures.filter(({ refusal }) => refusal !== undefined);
      const failed = unwantedFailure(run);
      const expectsFailure = run.state.status !== 'SUCCESS';
      if (refused.length > 0 || failed !== undefined)
        return ended ?? { ...noTest, refused, failed, expectsFailure };
      const mocked = planned.test.mocks.map((mock) => mock.name.text);
      if (!expectsFailure || ended === undefined)
        ended = {
          mocked,
          refused,
          expectsFailure,
          replaced: parts.replaced,
          empty: (written ?? []).flatMap(({ name, isEmpty }) => (isEmpty ? [name] : [])),
          ...(await finish(parts, run, warehouse, setting)),
        };
      if (!expectsFailure || !takeOtherBranch(parts, run)) return ended;
    } finally {
      await warehouse.clear();
    }
  }
  const message = `it needs more than ${repairs.isExhausted ? maxRepairs : maxRounds} tables, columns and mocks`;
  const failed = { pipeline, component: '', message, refusal: undefined };
  return ended ?? { ...noTest, failed };
}

/** Adds what the first of these failures lacked that lacked something. */
async function repairsAny(
  parts: TestParts,
  failures: readonly FailedComponent[],
  sources: ColumnSources,
): Promise<boolean> {
  for (const failure of failures) if (await repairParts(parts, failure, sources)) return true;
  return false;
}

/** The failure that ended the pipeline, unless the pipeline itself ended in an end-failure, as it is meant to. */
function unwantedFailure({ state, failures, project }: TestRun): FailedComponent | undefined {
  if (state.status === 'SUCCESS') return undefined;
  const failed = state.failed ?? failures[0];
  if (failed === undefined)
    return { pipeline: state.pipeline, component: '', message: state.message, refusal: undefined };
  const type = project.pipeline(failed.pipeline)?.components.get(failed.component)?.type;
  return type === 'end-failure' ? undefined : failed;
}

/**
 * Records the expectations. Tables and variables that a second run leaves with other values are left out. If the second
 * run ends in another way, no test is written: it would pass or fail by chance.
 */
async function finish(
  parts: TestParts,
  run: TestRun,
  warehouse: Warehouse,
  setting: TestSetting,
): Promise<Pick<FirstTest, 'text' | 'failed'>> {
  const { project } = setting;
  const recorded = await record(parts, run);
  if (typeof recorded !== 'string') return recorded;
  const text = render(parts, recorded, project);
  await warehouse.clear();
  const [planned] = planTests(await readText(text, parts.file, project), project);
  if (planned === undefined) throw new Error('a first test without a test');
  let kept = '';
  const { differences, status } = await runTest(planned, warehouse, setting, async (second, changed) => {
    kept = await recordExpectations(second, { without: differingParts(changed, planned) });
  });
  if (status === 'passed') return { text, failed: undefined };
  const other = differences.find(({ kind }) =>
    ['outcome', 'refused', 'timeout', 'ran', 'not-ran'].includes(kind),
  );
  if (other !== undefined) {
    const message = `it ended in another way when it ran again: ${other.message}`;
    return { text: '', failed: { pipeline: parts.path, component: '', message, refusal: undefined } };
  }
  return { text: render(parts, kept, project), failed: undefined };
}

/** A view that the example rows do not suit fails only when it is read. */
async function record(parts: TestParts, run: TestRun): Promise<string | Pick<FirstTest, 'text' | 'failed'>> {
  try {
    return await recordExpectations(run);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const { message } = error;
    return { text: '', failed: { pipeline: parts.path, component: '', message, refusal: undefined } };
  }
}

function differingParts(differences: readonly Difference[], { test }: PlannedTest): DifferingParts {
  const places = new Set(differences.map(({ line, column }) => `${line}:${column}`));
  const variables = test.expected.variables.filter(({ place }) =>
    places.has(`${place.line}:${place.column}`),
  );
  return {
    tables: new Set(differences.flatMap(({ table }) => table ?? [])),
    variables: new Set(variables.map(({ name }) => name.text)),
  };
}

function placeholder(pipeline: string, project: TestProject): string {
  const [first = ''] = project.pipeline(pipeline)?.components.keys() ?? [];
  return `      ran: [${yamlText(first)}]\n`;
}

function readParts(parts: TestParts, expected: string, project: TestProject) {
  return readText(render(parts, expected, project), parts.file, project);
}

function readText(text: string, file: string, project: TestProject) {
  return readTestFile(text, file, { findFile: project.beside(file) });
}

/** @param chosen the parts of a test that only creates them while the pipeline runs */
function render(parts: TestParts, expected: string, project: TestProject, chosen?: ChosenParts): string {
  const { pipeline } = parts;
  const tables = [...parts.tables].filter(([name]) => chosen?.tables.includes(name) !== false);
  const mocks = [...parts.mocks].filter(([name]) => chosen?.mocks.includes(name) !== false);
  const givenLines = tables.map(([name, columns]) => tableText(name, columns, parts, project));
  return [
    `pipeline: ${yamlText(pipeline)}`,
    'tests:',
    `  - name: ${yamlText(`runs ${pipeline.split('/').at(-1) ?? pipeline}`)}`,
    ...(chosen === undefined ? variableLines(parts, project) : []),
    ...(givenLines.length === 0 ? [] : ['    given:', ...givenLines]),
    ...(mocks.length === 0
      ? []
      : [
          '    mock:',
          ...mocks.map(([, lines]) =>
            lines()
              .replaceAll(/^(?=.)/gm, '    ')
              .trimEnd(),
          ),
        ]),
    '    expect:',
    expected.trimEnd(),
    '',
  ].join('\n');
}
