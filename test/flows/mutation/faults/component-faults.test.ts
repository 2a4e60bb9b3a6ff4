import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { componentFaults } from '../../../../flows/mutation/faults/component-faults.ts';
import { faultKinds } from '../../../../flows/mutation/faults/fault-kinds.ts';
import { withEdits } from '../../../../flows/mutation/faults/fault.ts';
import { pipelineFaults, sqlFileFaults } from '../../../../flows/mutation/faults/file-faults.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { readPipeline } from '../../../../lib/pipelines/model/read-pipeline.ts';

/** A pipeline with one component, from the lines of its parameters. */
function faultsOf(type: string, parameters: string, { file = 'a.tran.yaml', more = '' } = {}) {
  const text = `pipeline:\n  components:\n    C:\n      type: ${type}\n${more}      parameters:\n${indented(parameters, 8)}`;
  return pipelineFaults(readPipeline(file, text), 'WAREHOUSE_ONE').map((fault) => ({
    ...fault,
    text: withEdits(text, fault.edits),
  }));
}

function indented(text: string, columns: number): string {
  return text.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
}

function shown(faults: ReturnType<typeof faultsOf>): readonly string[] {
  return faults.map(({ kind, before, after }) => `${kind}: ${before} → ${after}`);
}

const rowsOf = (...rows: readonly string[]) => rows.map((row) => `  - [${row}]\n`).join('');

test.each<readonly [type: string, parameters: string, expected: readonly string[]]>([
  [
    'filter',
    `filterConditions:\n${rowsOf("a, Is, Greater than, '10'", 'b, Not, "Null", ""')}combineCondition: And\n`,
    [
      'left-out-condition: a, Is, Greater than, 10 → ',
      'negation: Is → Not',
      'comparison: Greater than → Greater than or equal to',
      'comparison: Greater than → Less than',
      'constant: 10 → 11',
      'left-out-condition: b, Not, Null, → ',
      'negation: Not → Is',
      'null-handling: Null → Null or blank',
      'combination: And → Or',
    ],
  ],
  [
    'filter',
    `filterConditions:\n${rowsOf('a, Is, Equal to, "${x}"')}combineCondition: And\n`,
    [
      'left-out-condition: a, Is, Equal to, ${x} → ',
      'negation: Is → Not',
      'comparison: Equal to → Less than or equal to',
    ],
  ],
  [
    'map-values',
    `valueMap:\n${rowsOf('a, Is, Blank, "", none', 'b, Is, Less than or equal to, 2026-12-31, old')}other: new\n`,
    [
      'left-out-branch: a, Is, Blank, , none → ',
      'negation: Is → Not',
      'null-handling: Blank → Null or blank',
      'constant: none → noneX',
      'left-out-branch: b, Is, Less than or equal to, 2026-12-31, old → ',
      'negation: Is → Not',
      'comparison: Less than or equal to → Less than',
      'constant: 2026-12-31 → 2027-01-01',
      'constant: old → oldX',
      'constant: new → newX',
    ],
  ],
  [
    'join',
    `mainTable: A\nmainTableAlias: a\njoins:\n${rowsOf('B, b, Left')}joinExpressions:\n${rowsOf("'a.i = b.i', a_Left_b")}`,
    ['join-type: Left → Inner', 'comparison: = → <>'],
  ],
  [
    'unite',
    'method: All Columns\nremoveDuplicates: "No"\n',
    ['set-operator: All Columns → Overlapping Columns', 'distinct: No → Yes'],
  ],
  ['calculator', `calculations:\n${rowsOf('"a" * 2, b')}`, []],
  [
    'calculator',
    `calculations:\n${rowsOf("'coalesce(a, 0) + 1', b")}`,
    ['null-handling: coalesce(a, 0) → a', 'constant: 0 → 1', 'arithmetic: + → -', 'constant: 1 → 2'],
  ],
  ['rename', `columnMapping:\n${rowsOf('a, x', 'b, y')}`, ['swapped-columns: a, b → b, a']],
  ['convert-type', `conversions:\n${rowsOf('a, NUMBER, 38, 2', 'b, NUMBER, 38, 0')}`, ['decimals: 2 → 0']],
  ['split-field', `delimiter: ","\noutputColumns:\n${rowsOf('0, a')}`, ['constant: 0 → 1']],
  ['pivot', 'aggregateFunction: Average\n', ['aggregate: Average → Sum']],
  [
    'window-calculation',
    `partitionData: [a]\norderingWithinPartitions:\n${rowsOf('b, Nulls First')}functions:\n${rowsOf('Sum, c, d')}lowerBound: Unbounded Preceding\nupperBound: Current Row\n`,
    [
      'left-out-partition: a → ',
      'order: Nulls First → Ascending',
      'aggregate: Sum → Max',
      'window: Unbounded Preceding → Current Row',
      'window: Current Row → Unbounded Preceding',
      'window: Current Row → Unbounded Following',
    ],
  ],
  [
    'lead-lag',
    `orderingsWithinPartitions:\n${rowsOf('b, descending')}functions:\n${rowsOf('Lag, a, 7, c')}ignoreNulls: "Yes"\n`,
    ['order: descending → Ascending', 'window: Lag → Lead', 'constant: 7 → 8', 'null-handling: Yes → No'],
  ],
  ['first-last', `firstLastColumns:\n${rowsOf('a, First')}`, ['window: First → Last']],
  [
    'generate-sequence',
    'startValue: 1\nincrementValue: -1\nendValue: "9"\n',
    ['constant: 1 → 2', 'constant: -1 → 0', 'constant: 9 → 10'],
  ],
  [
    'fixed-flow',
    `values:\n${rowsOf('1, a', '2, b', '3, c')}`,
    ['left-out-row: 1, a → ', 'left-out-row: 3, c → '],
  ],
  ['sql', 'query: |\n  select a\n  from b\n  where c\n', ['left-out-condition: where c → ']],
  ['extract-nested-data-sf', 'outerJoin: "Yes"\n', ['join-type: Yes → No']],
  [
    'table-output',
    `outputMode: Append\ncolumnMapping:\n${rowsOf('a, x', 'b, y')}`,
    [
      'write-mode: Append → Truncate',
      'left-out-row: a, x → ',
      'swapped-columns: a, b → b, a',
      'left-out-row: b, y → ',
    ],
  ],
  [
    'table-update',
    `joinExpression:\n${rowsOf("'t.i = s.i and t.j = s.j', ''")}whenMatched:\n${rowsOf("'s.d = 1', Delete", '<none>, Update')}includeNotMatched: "No"\n`,
    [
      'left-out-key: t.i = s.i → ',
      'comparison: = → <>',
      'combination: and → or',
      'left-out-key: and t.j = s.j → ',
      'comparison: = → <>',
      'left-out-branch: s.d = 1, Delete → ',
      'comparison: = → <>',
      'constant: 1 → 2',
      'write-mode: Delete → Update',
      'left-out-branch: <none>, Update → ',
      'write-mode: Update → Delete',
      'write-mode: No → Yes',
    ],
  ],
  ['an-unknown-type', 'query: select 1\n', []],
])('the changes of the parameters of %s (%#)', (type, parameters, expected) => {
  expect(shown(faultsOf(type, parameters))).toEqual(expected);
});

const orchestration = { file: 'a.orch.yaml' };

test.each<readonly [type: string, parameters: string, expected: readonly string[]]>([
  [
    'if',
    `mode: Simple\ncondition:\n${rowsOf('a, Is, Less than, 3')}combineConditions: And\n`,
    [
      'negation: Is → Not',
      'comparison: Less than → Less than or equal to',
      'comparison: Less than → Greater than',
      'constant: 3 → 4',
    ],
  ],
  [
    'if',
    `mode: Advanced\ncondition:\n${rowsOf('a, Is, Less than, 3')}condition1: "a >= 1.5 && b == 'x' || c"\n`,
    [
      'comparison: >= → >',
      'constant: 1.5 → 1.6',
      'combination: && → ||',
      'comparison: == → !=',
      "constant: 'x' → 'xX'",
      'combination: || → &&',
    ],
  ],
  [
    'sql-executor',
    'scriptLocation: Component\nsqlScript: select 1 < a\n',
    ['constant: 1 → 2', 'comparison: < → <='],
  ],
  ['sql-executor', 'scriptLocation: File\nsqlScript: select 1 < a\n', []],
  [
    'query-to-scalar',
    `mode: Basic\nquery: select 1\nfilterConditions:\n${rowsOf('a, Is, Like, b%')}limit: 1\n`,
    [
      'left-out-condition: a, Is, Like, b% → ',
      'negation: Is → Not',
      'comparison: Like → Equal to',
      'constant: b% → b%X',
      'constant: 1 → 2',
    ],
  ],
  ['query-to-scalar', 'mode: Advanced\nquery: select max(a) from t\n', ['aggregate: max → min']],
  [
    'assert-table',
    'rowCountComparisonType: Equal to\nrowCountValue: 3\n',
    ['comparison: Equal to → Less than or equal to', 'constant: 3 → 4'],
  ],
  ['loop-iterator', 'startingValue: "7"\nendValue: "1"\n', ['constant: 7 → 8', 'constant: 1 → 2']],
  ['run-transformation', `setScalarVariables:\n${rowsOf('day, "${day}"')}`, ['left-out-row: day, ${day} → ']],
  [
    'update-scalar',
    `scalarsToUpdate:\n${rowsOf('a, 1', 'b, "${c}"')}`,
    ['left-out-row: a, 1 → ', 'constant: 1 → 2', 'left-out-row: b, ${c} → '],
  ],
  ['remove-from-grid', 'operation: Not In\n', ['negation: Not In → In']],
])('the changes of the parameters of %s in an orchestration (%#)', (type, parameters, expected) => {
  expect(shown(faultsOf(type, parameters, orchestration))).toEqual(expected);
});

test('transitions are left out, and the branches of an `if` swapped', () => {
  const more = '      transitions: { "true": [A], "false": [B] }\n';
  const faults = faultsOf('if', 'mode: Simple\n', { ...orchestration, more });
  expect(faults.map(({ text }) => /transitions: .*/.exec(text)?.[0])).toEqual([
    'transitions: { "true": [], "false": [B] }',
    'transitions: { "true": [B], "false": [A] }',
    'transitions: { "true": [A], "false": [] }',
  ]);
  expect(faults.map(({ transition }) => transition?.to)).toEqual(['A', undefined, 'B']);
});

test('another type of join renames its expression, and another aggregate the column that others read', () => {
  const [join] = faultsOf(
    'join',
    `mainTable: A\nmainTableAlias: a\njoins:\n${rowsOf('B, b, Left')}joinExpressions:\n${rowsOf("'true', a_left_b")}`,
  );
  expect(join?.text).toContain("- ['true', a_Inner_b]");
  const text = `pipeline:
  components:
    Sums: { type: aggregate, sources: [A], parameters: { groupings: [K], aggregations: [[AMOUNT, Sum]] } }
    Large: { type: filter, sources: [Sums], parameters: { filterConditions: [[sum_AMOUNT, Is, Null, '']] } }
    Twice: { type: calculator, sources: [Large], parameters: { calculations: [['"sum_AMOUNT" * 2', sum_AMOUNT]] } }
    Other: { type: filter, sources: [A], parameters: { filterConditions: [[sum_AMOUNT, Is, Null, '']] } }
`;
  const fault = pipelineFaults(readPipeline('a.tran.yaml', text), 'WAREHOUSE_ONE').find(
    ({ kind }) => kind === 'aggregate',
  );
  expect(withEdits(text, fault?.edits ?? [])).toBe(
    text
      .replace('AMOUNT, Sum', 'AMOUNT, Max')
      .replace('[[sum_AMOUNT', '[[max_AMOUNT')
      .replace(`'"sum_AMOUNT" * 2'`, `'"max_AMOUNT" * 2'`),
  );
});

test('a `distinct` becomes a `rename` that keeps all rows', () => {
  const [fault, ...more] = faultsOf('distinct', 'componentName: C\ncolumns:\n- "A"\n- [B]\nother: x\n');
  expect(more).toEqual([]);
  expect(fault?.text).toContain(
    'type: rename\n      parameters:\n        componentName: C\n        columnMapping:\n        - ["A", "A"]\n        - ["B", "B"]\n        other: x\n',
  );
});

test('the inputs of a comparison of tables are swapped, and its sides and keys', () => {
  const parameters = `masterTable: A\nmatchKeys: [i, j]\ncompareColumns: [k]\noutputColumnMapping:\n${rowsOf('compare_k, new')}`;
  expect(shown(faultsOf('detect-changes', parameters, { more: '      sources: [A, B]\n' }))).toEqual([
    'swapped-inputs: A → B',
    'left-out-key: i → ',
    'left-out-key: j → ',
    'left-out-key: k → ',
    'swapped-inputs: compare_k → master_k',
  ]);
  expect(shown(faultsOf('unite', 'method: x\n', { more: '      sources: [A, B]\n' }))).toEqual([
    'left-out-input: A → ',
    'left-out-input: B → ',
  ]);
});

test.each([
  [
    'brackets',
    'filterConditions: [[a, Is, Null, x], [b, Is, Null, x]]\n',
    'filterConditions: [[b, Is, Null, x]]\n',
  ],
  [
    'dashes',
    'filterConditions:\n- - a\n  - Is\n  - "Null"\n- - b\n  - Is\n  - "Null"\n',
    'filterConditions:\n- - b\n  - Is\n  - "Null"\n',
  ],
  [
    'one row',
    'filterConditions:\n- [a, Is, "Null"]\ncombineCondition: And\n',
    'filterConditions:\ncombineCondition: And\n',
  ],
  [
    'CRLF',
    'filterConditions:\r\n- [a, Is, "Null"]\r\n- [b, Is, "Null"]\r\n',
    'filterConditions:\r\n- [b, Is, "Null"]\r\n',
  ],
])('a row is left out of a list in %s, and every other character stays', (_, parameters, expected) => {
  const [fault] = faultsOf('filter', parameters).filter(({ kind }) => kind === 'left-out-condition');
  expect(fault?.text.slice(fault.text.indexOf('filterConditions'))).toBe(indented(expected, 8).trimStart());
});

test.each([
  ['double quotes', String.raw`query: "select \"a\"\r\nfrom b where c = 'x'"`, String.raw`where c <> 'x'"`],
  ['single quotes', "query: 'select a from b where c = ''x'''", "where c <> ''x'''"],
  ['a block', "query: |\n  select a\n  from b where c = 'x'\n", "where c <> 'x'\n"],
  ['a folded text', "query: >-\n  select a\n  from b where\n  c = 'x'\n", "c <> 'x'\n"],
  ['no quotes', "query: select a from b where c = 'x'\n", "where c <> 'x'\n"],
])('SQL in %s changes in its place in the file', (_, parameters, expected) => {
  const [fault] = faultsOf('sql', parameters).filter(({ kind }) => kind === 'comparison');
  expect(fault?.text).toContain(expected);
});

test('a value with an anchor has no changes: others would change with it', () => {
  expect(faultsOf('filter', 'filterConditions: &a\n  - [a, Is, "Null"]\ncombineCondition: *a\n')).toEqual([]);
  expect(faultsOf('assert-table', 'rowCountValue: &n 3\nx: *n\n', orchestration)).toEqual([]);
});

test('the id of a change stays when lines move or other rows come, and differs for each change', () => {
  const one = rowsOf('a, Is, Null, x');
  const two = rowsOf('b, Is, Null, x');
  const before = faultsOf('filter', `filterConditions:\n${one}${one}`);
  const after = faultsOf('filter', `\n# a comment\nfilterConditions:\n${two}${one}${one}`);
  const ids = (faults: ReturnType<typeof faultsOf>) => faults.map(({ id }) => id);
  expect(new Set(ids(after))).toEqual(new Set(ids(after)).union(new Set(ids(before))));
  expect(new Set(ids(after)).size).toBe(after.length);
  expect(ids(before).every((id) => /^[0-9a-z]{6}$/.test(id))).toBe(true);
});

test('every change of the example is small, stays in its component, and has its own id', () => {
  const directory = path.resolve(import.meta.dirname, '../../../../examples/warehouse');
  const project = openTestProject(directory, 'WAREHOUSE_ONE');
  const texts = project.paths.filter((file) => /\.(?:orch|tran)\.yaml$|\.sql$/.test(file));
  const all = texts.flatMap((file) => {
    const document = file.endsWith('.sql') ? undefined : project.pipeline(file);
    const text = document?.source.text ?? project.text(file) ?? '';
    return (
      document === undefined
        ? sqlFileFaults(file, text, 'WAREHOUSE_ONE')
        : pipelineFaults(document, 'WAREHOUSE_ONE')
    ).map((fault) => ({ fault, text, document }));
  });
  for (const { fault, text, document } of all) {
    const changed = withEdits(text, fault.edits);
    expect(changed).not.toBe(text);
    if (document === undefined) continue;
    const again = readPipeline(fault.file, changed);
    expect(again.problems).toEqual([]);
    const others = [...document.components.keys()].filter((name) => name !== fault.component);
    if (fault.kind === 'aggregate') continue;
    for (const name of others) expect(partsOf(again, name)).toBe(partsOf(document, name));
  }
  expect(new Set(all.map(({ fault }) => fault.id)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(100);
});

function partsOf(document: ReturnType<typeof readPipeline>, name: string): string {
  const component = document.components.get(name);
  const { start = 0, end = 0 } = component?.node('parameters') ?? {};
  return document.source.text.slice(start, end);
}

test('each kind of change is in the page about tests', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/testing.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  for (const [kind, meaning] of Object.entries(faultKinds))
    expect(rows.some((row) => row.startsWith(`| \`${kind}\``) && row.includes(`| ${meaning} `))).toBe(true);
});

test('only types of components that exist are in the table', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/engine.md'), 'utf8');
  const unknown = Object.keys(componentFaults).filter((type) => !page.includes(`\`${type}\``));
  expect(unknown).toEqual([]);
});
