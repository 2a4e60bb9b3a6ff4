import { expect, test } from 'vitest';
import { exampleDocument } from '../../../../../flows/pipeline-tests/first-test/examples/example-document.ts';
import {
  readValuePaths,
  withColons,
} from '../../../../../flows/pipeline-tests/first-test/examples/value-paths.ts';
import {
  emptyShape,
  type ValueShape,
} from '../../../../../flows/pipeline-tests/first-test/examples/value-shape.ts';

/** The second example of each column that a text of SQL reads in parts; a leaf shows its type or its literal. */
function read(sql: string, output?: string) {
  const shapes = new Map<string, ValueShape>();
  const of = (name: string) => {
    const shape = shapes.get(name) ?? emptyShape();
    shapes.set(name, shape);
    return shape;
  };
  readValuePaths(sql, { of, bind: (name, shape) => void shapes.set(name, shape) }, output);
  const leaf = ({ literal, type }: ValueShape) => literal ?? type ?? '';
  return Object.fromEntries(
    [...shapes].map(([name, shape]) => [
      name,
      exampleDocument(shape, { row: 1, hasSingleItems: false, leaf }),
    ]),
  );
}

test.each([
  ['a path with a cast', 'select t.DOC:a.b::number(10,2) from t', { DOC: { a: { b: 'number' } } }],
  ['quoted keys', 'select "DOC":"a b"."c" from t', { DOC: { 'a b': { c: '' } } }],
  ['keys in brackets', "select DOC['a'][0]['b'] from t", { DOC: { a: [{ b: '' }] } }],
  ['an index', 'select DOC:a[2]:b from t', { DOC: { a: [{ b: '' }, { b: '' }, { b: '' }] } }],
  [
    'CAST and a function',
    'select cast(DOC:a as date), to_number(DOC:b)',
    { DOC: { a: 'date', b: 'number' } },
  ],
  [
    'a comparison',
    "select 1 from t where DOC:a::varchar = 'x' and DOC:b in (3, 4)",
    { DOC: { a: 'x', b: '3' } },
  ],
  [
    'FLATTEN, and FLATTEN of its items',
    'select f.value:x, g.value:y from t, lateral flatten(input => t.DOC:rows) f, table(flatten(f.value:z)) as g',
    { DOC: { rows: [{ x: '', z: [{ y: '' }] }] } },
  ],
  ['FLATTEN without an alias', 'select value:x from t, lateral flatten(DOC)', { DOC: [{ x: '' }] }],
  [
    'FLATTEN of an object',
    "select value:x from t, lateral flatten(input => DOC, mode => 'OBJECT')",
    { DOC: { item1: { x: '' } } },
  ],
  [
    'FLATTEN with a path',
    "select value:x from t, lateral flatten(input => DOC, path => 'a.b')",
    { DOC: { a: { b: [{ x: '' }] } } },
  ],
  ['PARSE_JSON', 'select parse_json(RAW):a::varchar from t', { RAW: { a: 'varchar' } }],
  [
    'a column with another name',
    'select DOC:a as PART, PART:b as c from t',
    { DOC: { a: { b: '' } }, PART: { b: '' }, c: '' },
  ],
])('%s', (_, sql, documents) => {
  expect(read(sql)).toMatchObject(documents);
});

test('texts, comments and casts are not paths', () => {
  expect(read(`select 'a:b', x::date -- c:d\n /* e:f */ , "g:h" from t`)).toEqual({});
});

test('the whole expression of a column gives it its name', () => {
  const shapes = new Map([['DOC', emptyShape()]]);
  const of = (name: string) => shapes.get(name) ?? emptyShape();
  readValuePaths('"DOC":"a"::VARCHAR', { of, bind: () => {} }, 'NAME');
  expect([...(shapes.get('DOC')?.keys.get('a')?.names ?? [])]).toEqual(['NAME']);
});

test.each([
  ['select t.doc.a.b from orders t', 'select doc:a.b from orders t'],
  ['select doc.items[0].Price::int from s.orders', 'select doc:items[0].Price::int from s.orders'],
  ['select orders.doc."A" from db.s.orders, b', 'select doc:a from db.s.orders, b'],
  ["select t.id, 'x.y', f.g(t.doc.a) from orders as t", "select t.id, 'x.y', f.g(doc:a) from orders as t"],
  ['"doc"."a" = 1.5', '"doc":a = 1.5'],
])('paths of kind 2 become paths of kind 1: %s', (sql, expected) => {
  expect(withColons(sql)).toBe(expected);
});
