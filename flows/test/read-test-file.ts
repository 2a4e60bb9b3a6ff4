import { readConfig } from '../../lib/config/read-config.ts';
import { Failure } from '../../lib/core/failure.ts';
import { childOf, itemsOf, textOf, type YamlMap, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { readExpectations } from './read-expectations.ts';
import { entriesOf, located, variablesOf } from './read-parts.ts';
import { type ReadBeside, readFixture } from './read-fixture.ts';
import { noRows, rowsOf } from './read-rows.ts';
import type {
  Located,
  PlaceOf,
  TestCase,
  TestFile,
  TestMock,
  TestTable,
  WrittenColumn,
  WrittenRows,
} from './test-file.ts';
import { tableSchemasSchema, testFileSchema, type WrittenTest } from './test-file-schema.ts';
import { collectProblems, problemAt, type TestProblem, TestProblems } from './test-problem.ts';

/** The time at which a pipeline starts where the test names none: two runs give equal results. */
const defaultStart = Date.parse('2026-01-01T00:00:00Z');
const defaultTimeoutMs = 60_000;

/** How the parts of one file are read. */
export interface Reading {
  readonly placeOf: PlaceOf;
  readonly readBeside: ReadBeside;
}

/** Reads a test file and the files that it names. Throws TestProblems with all problems that it finds. */
export function readTestFile(text: string, file: string, readBeside: ReadBeside): TestFile {
  const { value, source } = checked(() => readConfig(text, file, { schema: testFileSchema }));
  const placeOf: PlaceOf = (span) => {
    const { line, column } = source.toRange(span);
    return { file, line, column };
  };
  const reading = { placeOf, readBeside };
  const problems: TestProblem[] = [];
  const schemas = collectProblems(problems, () => readSchemas(childOf(source.root, 'schemas'), reading));
  const nodes = itemsOf(childOf(source.root, 'tests'));
  refuseEqualNames(nodes, placeOf, problems);
  const tests = value.tests.flatMap((written, index) => {
    const node = nodes[index];
    if (node?.kind !== 'map') return [];
    return collectProblems(problems, () => readTest(written, node, reading)) ?? [];
  });
  if (problems.length > 0) throw new TestProblems(problems);
  const pipeline = located(childOf(source.root, 'pipeline'), placeOf) ?? {
    text: value.pipeline,
    place: { file, line: 1, column: 1 },
  };
  return { file, pipeline, schemas: schemas ?? new Map(), tests, source };
}

function readTest(written: WrittenTest, node: YamlMap, reading: Reading): TestCase {
  const { placeOf } = reading;
  return {
    name: written.name,
    place: placeOf(childOf(node, 'name') ?? node),
    variables: variablesOf(childOf(node, 'variables'), placeOf),
    startsAt: written.clock === undefined ? defaultStart : Date.parse(written.clock),
    timeoutMs: written.timeout ?? defaultTimeoutMs,
    given: tablesOf(childOf(node, 'given'), reading),
    mocks: entriesOf(childOf(node, 'mock')).map(([name, key, value]) =>
      mockOf({ text: name, place: placeOf(key) }, value, reading),
    ),
    expected: readExpectations(childOf(node, 'expect'), node, placeOf),
    node,
  };
}

function mockOf(name: Located, node: YamlNode, reading: Reading): TestMock {
  const output = childOf(node, 'output');
  const rows = childOf(node, 'rows');
  return {
    name,
    outcome: textOf(childOf(node, 'outcome')) === 'failure' ? 'failure' : 'success',
    message: textOf(childOf(node, 'message')),
    tables: tablesOf(childOf(node, 'tables'), reading),
    output:
      output === undefined ? undefined : tableOf({ text: 'output', place: name.place }, output, reading),
    variables: variablesOf(childOf(node, 'variables'), reading.placeOf),
    rows: rows?.kind === 'list' ? rowsOf(rows, reading.placeOf) : undefined,
  };
}

function tablesOf(node: YamlNode | undefined, reading: Reading): readonly TestTable[] {
  return entriesOf(node).map(([name, key, value]) =>
    tableOf({ text: name, place: reading.placeOf(key) }, value, reading),
  );
}

function tableOf(name: Located, node: YamlNode, reading: Reading): TestTable {
  const columns = columnsOf(childOf(node, 'columns'), reading.placeOf);
  return { name, columns, content: contentOf(node, reading) };
}

function contentOf(node: YamlNode, { placeOf, readBeside }: Reading): WrittenRows {
  const rows = childOf(node, 'rows');
  if (rows?.kind === 'list') return rowsOf(rows, placeOf);
  const file = located(childOf(node, 'file'), placeOf);
  return file === undefined ? noRows : readFixture(file, readBeside);
}

function columnsOf(node: YamlNode | undefined, placeOf: PlaceOf): readonly WrittenColumn[] {
  return entriesOf(node).map(([name, , value]) => ({
    name,
    type: textOf(value) ?? '',
    place: placeOf(value),
  }));
}

function readSchemas(
  node: YamlNode | undefined,
  { placeOf, readBeside }: Reading,
): ReadonlyMap<string, readonly WrittenColumn[]> {
  const name = located(node, placeOf);
  if (name === undefined) return new Map();
  const found = readBeside(name.text);
  if (found === undefined)
    throw problemAt(name.place, `the file "${name.text}" does not exist in the project`);
  const { source } = checked(() => readConfig(found.text, found.file, { schema: tableSchemasSchema }));
  const placeInSchemas: PlaceOf = (span) => {
    const { line, column } = source.toRange(span);
    return { file: found.file, line, column };
  };
  return new Map(entriesOf(source.root).map(([table, , value]) => [table, columnsOf(value, placeInSchemas)]));
}

function refuseEqualNames(nodes: readonly YamlNode[], placeOf: PlaceOf, problems: TestProblem[]): void {
  const seen = new Set<string>();
  for (const node of nodes) {
    const name = located(childOf(node, 'name'), placeOf);
    if (name === undefined) continue;
    if (seen.has(name.text))
      problems.push({ ...name.place, message: `another test has the name "${name.text}"` });
    seen.add(name.text);
  }
}

/** The schemas' own failures, in the words of test files. */
function checked<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure) || !Array.isArray(error.details['problems'])) throw error;
    throw new TestProblems(error.details['problems'] as readonly TestProblem[]);
  }
}
