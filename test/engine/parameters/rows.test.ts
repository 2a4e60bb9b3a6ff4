import { expect, test } from 'vitest';
import { readCombination, readConditions } from '../../../engine/parameters/read-conditions.ts';
import { readNames, readRows } from '../../../engine/parameters/read-rows.ts';
import { readSchema, readTable } from '../../../engine/parameters/read-table.ts';
import { readTypedRows } from '../../../engine/parameters/read-typed-rows.ts';
import { parameterOf } from './reader.ts';

function rowsOf(yaml: string): readonly (readonly string[])[] {
  const { node, reader } = parameterOf(yaml);
  return readRows(node, reader).map(({ cells }) => cells.map(({ text }) => text));
}

test.each<[yaml: string, rows: string[][]]>([
  [
    'p: [[ID, KEY], [NAME, "${name}"]]',
    [
      ['ID', 'KEY'],
      ['NAME', 'orders'],
    ],
  ],
  ['p: [a, b]', [['a'], ['b']]],
  [
    'p: [[a, "", ""], [1.0, true]]',
    [
      ['a', '', ''],
      ['1.0', 'true'],
    ],
  ],
  ['p: a', [['a']]],
  ['p:', []],
  ['p: []', []],
  [
    'p: { fromGrid: { variable: mapping, columns: [target, source] } }',
    [
      ['KEY', 'ID'],
      ['orders', 'NAME'],
    ],
  ],
  [
    'p: { fromGrid: { variable: mapping, columns: [source, source] } }',
    [
      ['ID', 'ID'],
      ['NAME', 'NAME'],
    ],
  ],
  ['p: { fromGrid: { variable: none, columns: [source] } }', []],
])('the rows of %s', (yaml, rows) => {
  expect(rowsOf(yaml)).toEqual(rows);
});

test.each([
  ['p: { fromGrid: { variable: nope, columns: [a] } }', 'a.yaml:1:16: the variable "nope" is not defined'],
  ['p: { fromGrid: { variable: name, columns: [a] } }', 'a.yaml:1:16: the variable "name" is not a grid'],
  [
    'p: { fromGrid: { variable: mapping, columns: [a] } }',
    'a.yaml:1:47: the grid "mapping" has no column "a"; it has ',
  ],
  [
    'p: { fromGrid: { variable: mapping } }',
    'a.yaml:1:16: `fromGrid` has no `columns`: list the columns of the grid to use',
  ],
  ['p: { a: 1 }', 'a.yaml:1:4: expected a list of rows for p, found a map'],
  ['p: [[a, [b]]]', 'a.yaml:1:9: expected a text in a row of p, found a list'],
  // What the platform reads there is not known.
  ...['null', '~', 'Null', 'NULL'].map((word) => [
    `p: [[a, ${word}]]`,
    `a.yaml:1:9: Millrace does not support an unquoted ${word} for p; write "${word}" for the text, or "" for an empty text`,
  ]),
])('%s is an error', (yaml, message) => {
  expect(() => rowsOf(yaml)).toThrow(message);
});

test('names are the cells of a list, or of one column of a grid', () => {
  const namesOf = (yaml: string) => {
    const { node, reader } = parameterOf(yaml);
    return readNames(node, reader).map(({ text }) => text);
  };
  expect(namesOf('p: [ID, "${name}"]')).toEqual(['ID', 'orders']);
  expect(namesOf('p: { fromGrid: { variable: mapping, columns: [source] } }')).toEqual(['ID', 'NAME']);
  expect(() => namesOf('p: [[a, b]]')).toThrow(
    'a.yaml:1:5: expected a list of names for p, found a row with 2 values',
  );
  expect(() => namesOf('p: [""]')).toThrow('a.yaml:1:5: a name in p is empty');
  expect(() => namesOf('p: ["[ALL]"]')).toThrow('a.yaml:1:5: [All] cannot be used in p; list the names');
});

test('each cell has its place in the file', () => {
  const { node, reader } = parameterOf('p:\n  - [a, "b c"]\n  - - d\n    - |\n      e\n      f\n');
  const [first, second] = readRows(node, reader);
  expect(first?.place).toEqual({ file: 'a.yaml', line: 2, column: 5 });
  expect(first?.cells[1]?.placeOf(2)).toEqual({ file: 'a.yaml', line: 2, column: 12 });
  expect(second?.cells[1]?.placeOf(2)).toEqual({ file: 'a.yaml', line: 6, column: 7 });
});

test.each<[cells: string, one: object, two?: object]>([
  ['VARCHAR, "20", ""', { name: 'VARCHAR', length: 20 }],
  ['text', { name: 'VARCHAR', length: undefined }],
  ['VARCHAR, "0", "0"', { name: 'VARCHAR', length: undefined }],
  [
    'NUMBER, "", ""',
    { name: 'NUMBER', precision: 38, scale: 0 },
    { name: 'NUMBER', precision: 18, scale: 0 },
  ],
  ['NUMBER, "10", "2"', { name: 'NUMBER', precision: 10, scale: 2 }],
  ['INTEGER', { name: 'NUMBER', precision: 38, scale: 0 }, { name: 'INTEGER' }],
  ['FLOAT', { name: 'FLOAT' }],
  ['TIMESTAMP_NTZ', { name: 'TIMESTAMP' }],
  ['Timestamp', { name: 'TIMESTAMP' }],
  ['TIMESTAMP_TZ', { name: 'TIMESTAMP_TZ' }],
  ['VARIANT', { name: 'VARIANT' }],
])('the type %s', (cells, typeOfOne, typeOfTwo = typeOfOne) => {
  const { node, reader } = parameterOf(`p: [[id, ${cells}]]`);
  expect(readTypedRows(node, reader, 'WAREHOUSE_ONE')[0]?.type).toEqual(typeOfOne);
  expect(readTypedRows(node, reader, 'WAREHOUSE_TWO')[0]?.type).toEqual(typeOfTwo);
});

test('the cells after the precision follow a typed row', () => {
  const { node, reader } = parameterOf('p: [[id, DATE, "", "", now, "Yes"]]');
  const [row] = readTypedRows(node, reader, 'WAREHOUSE_ONE');
  expect(row?.name.text).toBe('id');
  expect(row?.more.map(({ text }) => text)).toEqual(['now', 'Yes']);
});

test.each([
  ['[[id, GEOGRAPHY]]', 'a.yaml:1:10: Millrace does not support the type "GEOGRAPHY"'],
  [String.raw`[[id, "NUMBER\u00a0"]]`, 'a.yaml:1:11: Millrace does not support the type "NUMBER\u00a0"'],
  ['[[id, constructor]]', 'a.yaml:1:10: Millrace does not support the type "constructor"'],
  ['[[id]]', 'a.yaml:1:5: the column "id" in p has no type'],
  ['[["", DATE]]', 'a.yaml:1:5: a column in p has no name'],
  ['[[id, NUMBER, many]]', 'a.yaml:1:18: the size of a column must be a whole number, not "many"'],
  ['[[id, NUMBER, "39"]]', 'a.yaml:1:19: NUMBER(39,0) is not a type'],
  ['[[id, NUMBER, "2", "3"]]', 'a.yaml:1:24: NUMBER(2,3) is not a type'],
])('the typed row %s is an error', (rows, message) => {
  const { node, reader } = parameterOf(`p: ${rows}`);
  expect(() => readTypedRows(node, reader, 'WAREHOUSE_ONE')).toThrow(message);
});

test('conditions are data: column, negation, comparator and value', () => {
  const { node, reader } = parameterOf(
    'p: [[A, Is, Equal to, "${name}"], [B, not, Null or Blank, old], [C, IS, greater than, "1", result]]',
  );
  const conditions = readConditions(node, reader).map(({ column, isNegated, comparator, value, more }) => [
    column.text,
    isNegated,
    comparator,
    value?.text,
    ...more.map(({ text }) => text),
  ]);
  expect(conditions).toEqual([
    ['A', false, 'equal to', 'orders'],
    ['B', true, 'null or blank', undefined],
    ['C', false, 'greater than', '1', 'result'],
  ]);
});

test.each([
  ['[[A, Is]]', 'a.yaml:1:5: a condition in p needs four cells'],
  ['[["", Is, "Null"]]', 'a.yaml:1:7: a condition in p has no column'],
  ['[[A, Was, "Null", ""]]', 'a.yaml:1:9: expected Is or Not in p, found "Was"'],
  [
    '[[A, Is, Near, x]]',
    'a.yaml:1:13: Millrace does not support the comparator "Near"; use one of: equal to, less than',
  ],
  [
    '[[A, Is, Null, ""]]',
    'a.yaml:1:13: Millrace does not support an unquoted Null for p; write "Null" for the text',
  ],
  ['[[A, Is, Equal to]]', 'a.yaml:1:5: a condition in p has no value'],
])('the condition %s is an error', (rows, message) => {
  const { node, reader } = parameterOf(`p: ${rows}`);
  expect(() => readConditions(node, reader)).toThrow(message);
});

test.each([
  ['And', 'and'],
  ['AND', 'and'],
  ['or', 'or'],
  ['', 'and'],
])('the combination "%s" is %s', (written, combination) => {
  const { node, reader } = parameterOf(`p: ${written}`);
  expect(readCombination(node, reader)).toBe(combination);
});

test('another combination is an error', () => {
  const { node, reader } = parameterOf('p: Xor');
  expect(() => readCombination(node, reader)).toThrow('a.yaml:1:4: expected And or Or for p, found "Xor"');
});

const defaults = { database: 'DEV', schema: 'PUBLIC' };

test.each([
  [
    'database: "[Environment Default]"\nschema: "[environment default]"\ntargetTable: t',
    ['DEV', 'PUBLIC', 't'],
  ],
  ['targetTable: "${name}"', ['DEV', 'PUBLIC', 'orders']],
  ['database: ""\nschema:\ntargetTable: t', ['DEV', 'PUBLIC', 't']],
  ['database: D\nschema: "${name}"\ntargetTable: T', ['D', 'orders', 'T']],
  ['catalog: C\nschema: S\ntargetTable: T', ['C', 'S', 'T']],
])('the table of %j', (yaml, parts) => {
  const { node, reader } = parameterOf(yaml, '');
  const { database, schema, table } = readTable(node, 'targetTable', reader, defaults);
  expect([database, schema, table]).toEqual(parts);
});

test('a table that is not named, and another word in brackets, are errors', () => {
  const { node, reader } = parameterOf('schema: S', '');
  expect(() => readTable(node, 'viewName', reader, defaults)).toThrow(
    'a.yaml:1:1: the parameter viewName is not set',
  );
  const custom = parameterOf('schema: "[Custom]"', '');
  expect(() => readSchema(custom.node, custom.reader, defaults)).toThrow(
    'a.yaml:1:10: [Custom] cannot be used for schema',
  );
});
