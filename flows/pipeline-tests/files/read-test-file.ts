import type { ZodType } from 'zod';
import {
  type FileProblem,
  FileProblems,
  type Located,
  type PlaceOf,
  type Beside,
  type WrittenColumn,
  type WrittenTable,
  findBeside,
  problemAt,
  noRows,
  rowsOf,
} from '../../../engine/index.ts';
import { type ReadConfig, readConfig } from '../../../lib/config/fields/read-config.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { escapedName, lookOf, onlyLooksLike } from '../../../lib/core/text/look-alike.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import { prefixedNumbers } from '../../../lib/yaml/prefixed-numbers.ts';
import { readYaml, type YamlSource } from '../../../lib/yaml/read-yaml.ts';
import { childOf, itemsOf, textOf, type YamlMap, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { nameProblem } from './find-tests.ts';
import { readExpectations } from './read-expectations.ts';
import { contentOf, type Reading } from './read-content.ts';
import { entriesOf, located, variablesOf } from './read-parts.ts';
import type { TestCase, TestFile, TestMock } from './test-file.ts';
import { tableSchemasSchema, testFileSchema, type WrittenTest } from './test-file-schema.ts';
import { collectProblems } from './test-problem.ts';

const partNames = ['given', 'mock', 'expect'] as const;

/** Parts of a test that are indented too far, so that they are read as a part of another one. */
function misplacedKeys(root: YamlNode | undefined, placeOf: PlaceOf): readonly FileProblem[] {
  return itemsOf(childOf(root, 'tests')).flatMap((test) => {
    if (test.kind !== 'map') return [];
    const absent = partNames.filter((key) => !test.entries.has(key));
    return [...misplaced(test, absent, [], placeOf)];
  });
}

function* misplaced(
  { entries }: YamlMap,
  absent: readonly string[],
  above: readonly string[],
  placeOf: PlaceOf,
): Generator<FileProblem> {
  for (const [name, { key, value }] of entries) {
    const parent = above.at(-1);
    if (parent !== undefined && absent.includes(name)) {
      const message = `\`${name}\` is indented too far: it is a part of \`${parent}\` here, not of the test`;
      yield { ...placeOf(key), message };
    } else if (value.kind === 'map') yield* misplaced(value, absent, [...above, name], placeOf);
  }
}

/** The time at which a pipeline starts where the test names none: two runs give equal results. */
const defaultStart = Date.parse('2026-01-01T00:00:00Z');
const defaultTimeoutMs = 60_000;

/** Reads a test file and the files that it names. Throws FileProblems with all problems that it finds. */
export async function readTestFile(text: string, file: string, beside: Beside): Promise<TestFile> {
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

/** Reads a YAML file of tests. If a usual mistake explains what is wrong, the problems are only that. */
function readWritten<Written>(text: string, file: string, schema: ZodType<Written>): ReadConfig<Written> {
  try {
    const read = readConfig(text, file, { schema, readsSpelling: true });
    const prefixed = prefixedNumbers(read.source);
    if (prefixed.length > 0)
      throw new FileProblems(
        prefixed.map(({ file: at, line, column, message }) => ({ file: at, line, column, message })),
      );
    return read;
  } catch (error) {
    if (!(error instanceof Failure) || !Array.isArray(error.details['problems'])) throw error;
    const source = readYaml(text, { file });
    const placeOf = placesIn(source);
    const causes = [...misplacedKeys(source.root, placeOf), ...unquotedTypes(source.root, placeOf)];
    throw new FileProblems(
      causes.length === 0 ? (error.details['problems'] as readonly FileProblem[]) : causes,
    );
  }
}

function placesIn(source: YamlSource): PlaceOf {
  return (span) => {
    const { line, column } = source.toRange(span);
    return { file: source.file, line, column };
  };
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

function columnsOf(node: YamlNode | undefined, placeOf: PlaceOf): readonly WrittenColumn[] {
  return entriesOf(node).map(([name, , value]) => ({
    name,
    type: textOf(value) ?? '',
    place: placeOf(value),
  }));
}

function readSchemas(
  node: YamlNode | undefined,
  reading: Reading,
): ReadonlyMap<string, readonly WrittenColumn[]> {
  const name = located(node, reading.placeOf);
  if (name === undefined) return new Map();
  const schemaFile = findBeside(name, reading);
  const { source } = readWritten(schemaFile.text(), schemaFile.file, tableSchemasSchema);
  const tables = entriesOf(source.root);
  if (tables.length === 0)
    throw problemAt(
      { file: schemaFile.file, line: 1, column: 1 },
      'the file has no tables: write the columns of each table by its name',
    );
  return new Map(tables.map(([table, , value]) => [table, columnsOf(value, placesIn(source))]));
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

/** Types such as `NUMBER(10,2)` without quotes inside braces, where YAML takes the comma for the end of the value. */
function* unquotedTypes(node: YamlNode | undefined, placeOf: PlaceOf): Generator<FileProblem> {
  for (const item of node?.kind === 'list' ? node.items : []) yield* unquotedTypes(item, placeOf);
  if (node?.kind !== 'map') return;
  let before: YamlNode | undefined;
  for (const [name, { value }] of node.entries) {
    const begin = before?.kind === 'scalar' ? before.text : '';
    if (before !== undefined && /\(\d+$/.test(begin) && /^\d+\)$/.test(name)) {
      const message = `write the type in quotes, '${begin},${name}': without them, its comma ends the value`;
      yield { ...placeOf(before), message };
    }
    yield* unquotedTypes(value, placeOf);
    before = value;
  }
}
