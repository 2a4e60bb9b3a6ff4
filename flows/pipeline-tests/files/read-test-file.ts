import {
  FileProblems,
  type FileProblem,
  type Located,
  type PlaceOf,
  type FixtureReadOptions,
  type WrittenColumn,
  type WrittenTable,
  requireFixtureFile,
  problemAt,
  noRows,
  rowsOf,
} from '../../../engine/index.ts';
import { escapedName, lookOf, onlyLooksLike } from '../../../lib/core/text/look-alike.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import { childOf, itemsOf, textOf, type YamlMap, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { nameProblem } from './find-tests.ts';
import { readExpectations } from './read-expectations.ts';
import { contentOf, type Reading } from './read-content.ts';
import { columnsOf, entriesOf } from '../outside/schema-parts.ts';
import { located, variablesOf } from './read-parts.ts';
import { readTableSchemas } from '../outside/project-schemas.ts';
import { placesIn, readWritten } from '../outside/read-written.ts';
import type { TestCase, TestFile, TestMock } from './test-file.ts';
import { testFileSchema, type WrittenTest } from './test-file-schema.ts';
import { collectProblems } from './test-problem.ts';

/** The time at which a pipeline starts where the test names none: two runs give equal results. */
const defaultStart = Date.parse('2026-01-01T00:00:00Z');
const defaultTimeoutMs = 60_000;

/** Reads a test file and the files that it names. Throws FileProblems with all errors that it finds. */
export async function readTestFile(
  text: string,
  file: string,
  beside: FixtureReadOptions,
): Promise<TestFile> {
  const misnamed = nameProblem(file);
  if (misnamed !== undefined) throw problemAt({ file, line: 1, column: 1 }, misnamed);
  const { value, source } = readWritten(text, file, testFileSchema);
  const placeOf = placesIn(source);
  const reading = { ...beside, placeOf, text };
  const problems: FileProblem[] = [];
  const schemas = await collectProblems(problems, () =>
    readSchemas(childOf(source.root, 'schemas'), reading),
  );
  const nodes = itemsOf(childOf(source.root, 'tests'));
  refuseEqualNames(nodes, placeOf, problems);
  const tests: TestCase[] = [];
  for (const [index, written] of value.tests.entries()) {
    const node = nodes[index];
    if (node?.kind !== 'map') continue;
    const test = await collectProblems(problems, () => readTest(written, node, reading));
    if (test !== undefined) tests.push(test);
  }
  if (problems.length > 0) throw new FileProblems(problems);
  const pipeline = located(childOf(source.root, 'pipeline'), placeOf) ?? {
    text: value.pipeline,
    place: { file, line: 1, column: 1 },
  };
  return { file, pipeline, schemas: schemas ?? new Map(), tests, source };
}

async function readTest(written: WrittenTest, node: YamlMap, reading: Reading): Promise<TestCase> {
  const { placeOf } = reading;
  const given = await tablesOf(childOf(node, 'given'), reading);
  const mocks: TestMock[] = [];
  for (const [name, key, value] of entriesOf(childOf(node, 'mock'))) {
    mocks.push(await mockOf({ text: name, place: placeOf(key) }, value, reading));
  }
  return {
    name: written.name,
    place: placeOf(childOf(node, 'name') ?? node),
    variables: variablesOf(childOf(node, 'variables'), placeOf),
    startsAt: written.clock === undefined ? defaultStart : Date.parse(written.clock),
    timeoutMs: written.timeout ?? defaultTimeoutMs,
    given,
    mocks,
    expected: await readExpectations(childOf(node, 'expect'), node, reading),
    node,
  };
}

async function mockOf(name: Located, node: YamlNode, reading: Reading): Promise<TestMock> {
  const output = childOf(node, 'output');
  const rows = childOf(node, 'rows');
  const condition = childOf(node, 'condition');
  const keys = new Map(entriesOf(node).map(([key, span]) => [key, reading.placeOf(span)]));
  return {
    name,
    keys: new Set(keys.keys()),
    placeOf: (key) => keys.get(key) ?? name.place,
    outcome: textOf(childOf(node, 'outcome')) === 'failure' ? 'failure' : 'success',
    message: textOf(childOf(node, 'message')),
    tables: await tablesOf(childOf(node, 'tables'), reading),
    output:
      output === undefined
        ? undefined
        : await tableOf({ text: 'output', place: name.place }, output, reading),
    variables: variablesOf(childOf(node, 'variables'), reading.placeOf),
    rows: rows?.kind === 'list' ? rowsOf(rows, reading.placeOf, reading.text) : undefined,
    condition: condition?.kind === 'scalar' ? condition.value === true : undefined,
  };
}

async function tablesOf(node: YamlNode | undefined, reading: Reading): Promise<readonly WrittenTable[]> {
  const tables: WrittenTable[] = [];
  for (const [name, key, value] of entriesOf(node)) {
    tables.push(await tableOf({ text: name, place: reading.placeOf(key) }, value, reading));
  }
  return tables;
}

async function tableOf(name: Located, node: YamlNode, reading: Reading): Promise<WrittenTable> {
  const columns = columnsOf(childOf(node, 'columns'), reading.placeOf);
  return { name, columns, content: (await contentOf(node, reading)) ?? noRows };
}

function readSchemas(
  node: YamlNode | undefined,
  reading: Reading,
): ReadonlyMap<string, readonly WrittenColumn[]> {
  const name = located(node, reading.placeOf);
  if (name === undefined) return new Map();
  const schemaFile = requireFixtureFile(name, reading);
  const tables = readTableSchemas(schemaFile.text(), schemaFile.file);
  return new Map(Array.from(tables, ([table, { columns }]) => [table, columns]));
}

function refuseEqualNames(nodes: readonly YamlNode[], placeOf: PlaceOf, problems: FileProblem[]): void {
  const seen = new Map<string, readonly string[]>();
  for (const node of nodes) {
    const name = located(childOf(node, 'name'), placeOf);
    if (name === undefined) continue;
    const other = seen
      .get(lookOf(name.text))
      ?.find((seenName) => seenName === name.text || onlyLooksLike(seenName, name.text));
    if (other !== undefined) {
      const what =
        other === name.text
          ? `has the name "${visibleText(name.text)}"`
          : `has the name "${escapedName(other)}", which only looks like "${escapedName(name.text)}"`;
      problems.push({ ...name.place, message: `another test in this file ${what}: rename one of them` });
    }
    seen.set(lookOf(name.text), [...(seen.get(lookOf(name.text)) ?? []), name.text]);
  }
}
