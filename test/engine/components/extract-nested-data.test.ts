import { expect, test } from 'vitest';
import type { Value } from '../../../engine/duckdb/connection/warehouse.ts';
import { NUMBER, TEXT, VARIANT } from '../transformation/transform.ts';
import { outputs, type Output } from './outputs.ts';

const outputOf = outputs();

interface Element {
  readonly name: string;
  readonly type?: string;
  readonly alias?: string;
  readonly isArray?: boolean;
  readonly column?: string;
  readonly size?: string;
  readonly decimals?: string;
  readonly children?: readonly Element[];
}

/** An element as files write it: everything is a text, and included elements have an alias. */
function element(fields: Element): unknown {
  return {
    name: fields.name,
    datatype: fields.type ?? 'VARIANT',
    size: fields.size ?? '0',
    decimalPlaces: fields.decimals ?? '0',
    columnName: fields.column ?? 'DOC',
    aliasName: fields.alias ?? fields.name,
    isArray: String(fields.isArray === true),
    include: String(fields.alias !== undefined),
    childElements: fields.children?.map(element) ?? null,
  };
}

interface Options {
  readonly elements: readonly Element[];
  readonly parameters?: string;
  readonly docs: readonly Value[];
}

function extract({ elements, docs, parameters = 'includeInputColumns: No' }: Options): Promise<Output> {
  const tables = {
    docs: {
      columns: { ID: NUMBER, DOC: VARIANT, NAME: TEXT },
      rows: docs.map((doc, index) => [index + 1, doc, 'n']),
    },
  };
  const components = `
docs:
  type: table-input
  parameters: { targetTable: docs, columnNames: [ID, DOC, NAME] }
Extract:
  type: extract-nested-data-sf
  sources: [docs]
  parameters: { inputAlias: i, arrayPrefix: f, caseColumnAliasNames: No, ${parameters}, columns: ${JSON.stringify(elements.map(element))} }
`;
  return outputOf(components, { tables });
}

/** `{ lines: [{ sku }] }` as elements. */
const lines: Element = {
  name: 'lines',
  isArray: true,
  children: [{ name: 'lines-element', children: [{ name: 'sku', type: 'VARCHAR', alias: 'SKU' }] }],
};

test('values get columns of their types; texts have no quotes, and missing keys are NULL', async () => {
  const { columns, rows } = await extract({
    elements: [
      { name: 'total', type: 'NUMBER', size: '10', decimals: '2', alias: 'TOTAL' },
      {
        name: 'customer',
        alias: 'CUSTOMER',
        children: [
          { name: 'Name', type: 'VARCHAR', alias: 'NAME' },
          { name: 'born', type: 'DATE', alias: 'BORN' },
          { name: 'is member', type: 'BOOLEAN', alias: 'MEMBER' },
        ],
      },
    ],
    docs: [
      { total: 1.5, customer: { Name: 'Ada', name: 'no', born: '2001-02-03', 'is member': true } },
      { total: null, customer: null },
      null,
    ],
  });
  expect(columns).toEqual([
    'TOTAL NUMBER(10,2)',
    'CUSTOMER VARIANT',
    'NAME VARCHAR',
    'BORN DATE',
    'MEMBER BOOLEAN',
  ]);
  const customer = { Name: 'Ada', name: 'no', born: '2001-02-03', 'is member': true };
  expect(rows).toEqual([
    ['1.50', customer, 'Ada', '2001-02-03', true],
    [null, null, null, null, null],
    [null, null, null, null, null],
  ]);
});

test('each item of an array is a row; a row without items goes', async () => {
  const { rows } = await extract({
    elements: [{ name: 'no', type: 'NUMBER', alias: 'NO' }, lines],
    docs: [{ no: 1, lines: [{ sku: 'a' }, { sku: 'b' }] }, { no: 2, lines: [] }, { no: 3 }, null],
  });
  expect(rows).toEqual([
    [1, 'a'],
    [1, 'b'],
  ]);
});

test.each(['True', 'Yes'])('with outerJoin %s, a row without items stays with NULLs', async (outer) => {
  const { rows } = await extract({
    elements: [{ name: 'no', type: 'NUMBER', alias: 'NO' }, lines],
    parameters: `includeInputColumns: No, outerJoin: "${outer}"`,
    docs: [{ no: 1, lines: [{ sku: 'a' }] }, { no: 2, lines: [] }, { no: 3 }, null],
  });
  expect(rows).toEqual([
    [1, 'a'],
    [2, null],
    [3, null],
    [null, null],
  ]);
});

test('two arrays in different branches multiply rows', async () => {
  const numbers = (name: string, alias: string): Element => ({
    name,
    isArray: true,
    children: [{ name: 'element', type: 'NUMBER', alias }],
  });
  const { rows } = await extract({
    elements: [numbers('a', 'A'), numbers('b', 'B')],
    docs: [{ a: [1, 2], b: [3, 4, 5] }],
  });
  expect(rows).toHaveLength(6);
});

const nested: Element = {
  name: 'orders',
  isArray: true,
  children: [
    { name: 'id', type: 'NUMBER', alias: 'ORDER_ID' },
    {
      name: 'lines',
      isArray: true,
      children: [
        { name: 'element', isArray: true, children: [{ name: 'element', type: 'VARCHAR', alias: 'X' }] },
      ],
    },
  ],
};
const orders = {
  orders: [
    { id: 1, lines: [['a', 'b'], ['c']] },
    { id: 2, lines: [] },
  ],
};

test('arrays nest, and a child that is not the element is a key of the item', async () => {
  expect((await extract({ elements: [nested], docs: [orders] })).rows).toEqual([
    [1, 'a'],
    [1, 'b'],
    [1, 'c'],
  ]);
  const outer = await extract({
    elements: [nested],
    docs: [orders],
    parameters: 'includeInputColumns: No, outerJoin: Yes',
  });
  expect(outer.rows).toEqual([
    [1, 'a'],
    [1, 'b'],
    [1, 'c'],
    [2, null],
  ]);
});

test('an array that is included is a column too, as a whole', async () => {
  const tags: Element = {
    name: 'tags',
    alias: 'TAGS',
    isArray: true,
    children: [{ name: 'tags-element', type: 'VARCHAR', alias: 'TAG' }],
  };
  const { columns, rows } = await extract({ elements: [tags], docs: [{ tags: ['x', 'y'] }] });
  expect(columns).toEqual(['TAGS VARIANT', 'TAG VARCHAR']);
  expect(rows).toEqual([
    [['x', 'y'], 'x'],
    [['x', 'y'], 'y'],
  ]);
});

test('with input columns, an alias of one of them replaces it in its place', async () => {
  const { columns, rows } = await extract({
    elements: [
      { name: 'n', type: 'NUMBER', alias: 'NAME' },
      { name: 'n', type: 'VARCHAR', alias: 'TEXT' },
    ],
    parameters: 'includeInputColumns: Yes',
    docs: [{ n: 5 }],
  });
  expect(columns).toEqual(['ID NUMBER(38,0)', 'DOC VARIANT', 'NAME NUMBER(38,0)', 'TEXT VARCHAR']);
  expect(rows).toEqual([[1, { n: 5 }, 5, '5']]);
});

const number: Element = { name: 'n', type: 'NUMBER', alias: 'N' };

test('a value that is not of its type is an error, or NULL', async () => {
  const docs = [{ n: 'many' }, { n: '7' }];
  const failing = 'includeInputColumns: No, castingMethod: Fail on invalid data';
  await expect(extract({ elements: [number], docs, parameters: failing })).rejects.toThrow(/many/);
  const replacing = 'includeInputColumns: No, castingMethod: Replace all unparseable values with null';
  expect((await extract({ elements: [number], docs, parameters: replacing })).rows).toEqual([[7], [null]]);
});

test.each<[string, Partial<Options>, RegExp]>([
  [
    'an unknown column',
    { elements: [{ ...number, column: 'Doc' }] },
    /it has "DOC": upper and lower case differ/,
  ],
  [
    'a column that is not semi-structured',
    { elements: [{ ...number, column: 'NAME' }] },
    /a path into a value of type VARCHAR/,
  ],
  [
    'an unknown type',
    { elements: [{ ...number, type: 'GEOGRAPHY' }] },
    /Millrace does not support the type "GEOGRAPHY"/,
  ],
  ['no included element', { elements: [{ name: 'n' }] }, /no element is included/],
  ['two equal aliases', { elements: [number, { ...number }] }, /two output columns have the name "N"/],
  [
    'includeInputColumns that is not set',
    { elements: [number], parameters: 'outerJoin: No' },
    /includeInputColumns is not set/,
  ],
])('%s is an error that says where', async (_title, options, message) => {
  const full = { elements: [number], docs: [], ...options };
  await expect(extract(full)).rejects.toThrow(/a.tran.yaml:\d+:\d+: /);
  await expect(extract(full)).rejects.toThrow(message);
});

test('a warehouse of kind 2 is refused', async () => {
  const components = `
docs:
  type: table-input
  parameters: { targetTable: docs, columnNames: [doc] }
Extract:
  type: extract-nested-data-sf
  sources: [docs]
  parameters: { includeInputColumns: No, columns: ${JSON.stringify([element({ ...number, column: 'doc' })])} }
`;
  const tables = { docs: { columns: { doc: VARIANT }, rows: [] } };
  await expect(outputOf(components, { tables, kind: 'WAREHOUSE_TWO' })).rejects.toThrow(
    /Millrace does not support extract-nested-data-sf on a warehouse of the kind WAREHOUSE_TWO/,
  );
});
