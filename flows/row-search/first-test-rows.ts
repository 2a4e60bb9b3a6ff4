import { FileProblems, type Warehouse } from '../../engine/index.ts';
import type { Progress } from '../../lib/core/ports/ports.ts';
import { childOf, itemsOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { KnownTables } from '../pipeline-tests/first-test/column-types.ts';
import type { FirstTest } from '../pipeline-tests/first-test/init-test.ts';
import { recordExpectations, writtenTables } from '../pipeline-tests/first-test/record-expectations.ts';
import { type PipelineTest, writeFirstTests } from '../pipeline-tests/first-test/write-first-test.ts';
import { type PlannedTest, planTests } from '../pipeline-tests/files/planned-test.ts';
import { readTestFile } from '../pipeline-tests/files/read-test-file.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { openTestWarehouse } from '../pipeline-tests/run/open-test-warehouse.ts';
import { runTest, testSetting, type TestSetting } from '../pipeline-tests/run/run-test.ts';
import type { TestContext } from '../pipeline-tests/run/test-context.ts';
import { firstRows } from './first-rows.ts';
import { type Inputs, type InputTable, withInputs } from './input-tables.ts';
import { observe } from './observe.ts';
import { rowLines, tableLines } from './row-test-text.ts';

/** What the search for rows may cost for one pipeline. */
interface FirstRowsBudget {
  readonly maxRuns: number;
  readonly maxMs: number;
}

/**
 * The default limits of the search for one pipeline. They are enough for most pipelines on any machine; the time
 * only ends the search for slow ones.
 */
export const firstRowsBudget: FirstRowsBudget = { maxRuns: 200, maxMs: 20_000 };

/**
 * First tests as `writeFirstTests` writes them, with further rows so that they notice planted changes. Throws
 * Failure 'engine-missing', and the reason of a cancel.
 */
export async function* writeTestsWithRows(
  pipelines: readonly string[],
  project: TestProject,
  context: TestContext & { readonly progress?: Progress; readonly knownTables?: KnownTables },
  budget = firstRowsBudget,
): AsyncGenerator<PipelineTest> {
  const setting = testSetting(project, context);
  await using pool = openPool(() => openTestWarehouse(project));
  const improve = async (result: PipelineTest): Promise<PipelineTest> => {
    const { first, file } = result;
    if (first === undefined || first.text === '' || first.expectsFailure || budget.maxMs === 0) return result;
    return pool.use(async (warehouse) => {
      const better = await withMoreRows(first, file, { warehouse, setting, context, budget });
      return { ...result, first: better };
    });
  };
  const waiting: Promise<PipelineTest>[] = [];
  for await (const result of writeFirstTests(pipelines, project, context)) {
    const improving = improve(result);
    // The loop throws the error when it takes the result from the list.
    improving.catch(() => {});
    waiting.push(improving);
    const next = waiting.length < atOnce ? undefined : waiting.shift();
    if (next !== undefined) yield await next;
  }
  for (const next of waiting) yield await next;
}

/** How many pipelines are searched at the same time: a warehouse waits more than it computes. */
const atOnce = 3;

/** Warehouses that are opened when they are needed, each for one user at a time. */
function openPool(open: () => Promise<Warehouse>) {
  const all: Promise<Warehouse>[] = [];
  const free: Promise<Warehouse>[] = [];
  return {
    async use<Result>(work: (warehouse: Warehouse) => Promise<Result>): Promise<Result> {
      const taken = free.pop() ?? open();
      if (!all.includes(taken)) all.push(taken);
      try {
        return await work(await taken);
      } finally {
        free.push(taken);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const warehouse of await Promise.allSettled(all))
        if (warehouse.status === 'fulfilled') await warehouse.value[Symbol.asyncDispose]();
    },
  };
}

async function withMoreRows(
  first: FirstTest,
  file: string,
  {
    warehouse,
    setting,
    context,
    budget: { maxRuns, maxMs },
  }: {
    readonly warehouse: Warehouse;
    readonly setting: TestSetting;
    readonly context: TestContext;
    readonly budget: FirstRowsBudget;
  },
): Promise<FirstTest> {
  const { project, clock } = setting;
  try {
    const plan = async (text: string) =>
      planTests(await readTestFile(text, file, { findFile: project.beside(file) }), project)[0];
    const planned = await plan(first.text);
    if (planned === undefined) return first;
    const budget = { maxRuns, until: clock.now() + maxMs };
    const inputs = await firstRows({ planned, text: first.text, warehouse, setting, context, budget });
    if (inputs === undefined) return first;
    const recorded = { expected: '', empty: [] as readonly string[] };
    await observe(withInputs(planned, inputs), warehouse, setting, {
      async inspect(run) {
        recorded.expected = await recordExpectations(run);
        recorded.empty = (await writtenTables(run)).flatMap(({ name, isEmpty }) => (isEmpty ? [name] : []));
      },
    });
    const text = withRowsIn(first.text, planned, inputs, recorded.expected);
    const again = recorded.expected === '' ? undefined : await plan(text);
    if (again === undefined) return first;
    const { status } = await runTest(again, warehouse, setting);
    return status === 'passed' ? { ...first, text, empty: recorded.empty } : first;
  } catch (error) {
    // The test without further rows is right too.
    if (error instanceof FileProblems) return first;
    throw error;
  }
}

interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text of a first test with other rows and expectations; everything else stays as it is. */
function withRowsIn(text: string, { test, file }: PlannedTest, inputs: Inputs, expected: string): string {
  const changes = inputs.flatMap((input): readonly TextChange[] => {
    const table = nodeOfInput(input, test.node);
    const list = childOf(table, 'rows') ?? (input.place.kind === 'mock-rows' ? table : undefined);
    if (list === undefined || itemsOf(list).length === 0) return [];
    const column = file.source.toRange(list).column - 1;
    // The end of a list may be the beginning of the next line.
    const end = list.start + text.slice(list.start, list.end).trimEnd().length;
    const lines = rowLines(input, column - 2)
      .slice(1)
      .join('\n')
      .trimStart();
    return [{ start: list.start, end, text: lines }];
  });
  const expectNode = childOf(test.node, 'expect') ?? test.node;
  const lineStart = text.lastIndexOf('\n', expectNode.start) + 1;
  const targets = inputs.filter(({ place }) => place.kind === 'target');
  const given = childOf(test.node, 'given');
  const keyLine = text.lastIndexOf('\n', lineStart - 2) + 1;
  const mockKey = test.node.entries.get('mock')?.key;
  const before = mockKey === undefined ? keyLine : text.lastIndexOf('\n', mockKey.start) + 1;
  const lines = targets.flatMap((table) => tableLines(table, 6));
  const added =
    targets.length === 0 ? '' : `${[...(given === undefined ? ['    given:'] : []), ...lines].join('\n')}\n`;
  const all: readonly TextChange[] = [
    ...changes,
    { start: before, end: before, text: added },
    { start: lineStart, end: text.length, text: `${expected.trimEnd()}\n` },
  ];
  let [result, at] = ['', 0];
  for (const change of all.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, change.start) + change.text;
    at = change.end;
  }
  return result + text.slice(at);
}

/** Where a first test has an input. */
function nodeOfInput({ place }: InputTable, test: YamlNode): YamlNode | undefined {
  const valueAt = (node: YamlNode | undefined, index: number) =>
    node?.kind === 'map' ? [...node.entries.values()][index]?.value : undefined;
  const mock = 'mock' in place ? valueAt(childOf(test, 'mock'), place.mock) : undefined;
  switch (place.kind) {
    case 'given':
      return valueAt(childOf(test, 'given'), place.index);
    case 'mock-table':
      return valueAt(childOf(mock, 'tables'), place.index);
    case 'mock-output':
      return childOf(mock, 'output');
    case 'mock-rows':
      return mock;
    case 'target':
      return undefined;
  }
}
