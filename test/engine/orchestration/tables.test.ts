import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pipeline, startThen, variable } from '../execution/execute.ts';
import { NUMBER, openTestWarehouse, TEXT } from '../execution/on-warehouse.ts';
import { runOne } from './run-one.ts';

let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
beforeAll(async () => {
  opened = await openTestWarehouse();
});
afterAll(() => opened[Symbol.asyncDispose]());

const columns = [
  ['id', 'NUMBER', '', '', '', 'Yes', 'Yes', 'a key'],
  ['note', 'VARCHAR', '5', '', "'none'", 'No', 'No', ''],
  ['created', 'TIMESTAMP_NTZ', '0', '0', 'CURRENT_TIMESTAMP()', '', '', '', ''],
];
const create = (mode: string) => ({
  newTableName: 'orders',
  createReplace: mode,
  columns,
  primaryKeys: ['id'],
});

describe('create-table', () => {
  test('creates columns with types, defaults and NOT NULL', async () => {
    const schema = opened.schema();
    const done = await runOne(schema, 'create-table', create('Create'));
    expect(done.message).toMatch(/^Created "DB"\."S\d+"\."orders"\.$/);
    expect(schema.columns('orders')).toEqual([
      { name: 'id', type: NUMBER },
      { name: 'note', type: { name: 'VARCHAR', length: 5 } },
      { name: 'created', type: { name: 'TIMESTAMP' } },
    ]);
    const insert = (values: string) =>
      runOne(schema, 'sql-script', { sqlScript: `INSERT INTO "orders" ("id", "note") VALUES ${values}` });
    expect((await insert('(NULL, NULL)')).message).toMatch(
      /NULL is not allowed: the column "[^"]+" of the table "[^"]+" is NOT NULL/,
    );
    expect((await insert("(1, 'longer')")).message).toContain('a text is longer than VARCHAR(5) allows');
    expect((await insert("(1, 'a'), (1, 'a')")).status).toBe('SUCCESS');
    await runOne(schema, 'sql-script', { sqlScript: 'INSERT INTO "orders" ("id") VALUES (2)' });
    const [row] = (await schema.rows('orders')).filter(([id]) => id === 2);
    expect(row?.slice(1)).toEqual(['none', '2031-01-01 12:00:00']);
  });

  test.each([
    ['DATE', "'epoch'"],
    ['DATE', "'2024-01-05abc'"],
    ['DATE', "'infinity'"],
    ['DATE', '2024-01-05'],
    ['TIMESTAMP', "'epoch'"],
    ['TIME', "'10:00:00.5xyz'"],
    ['INTEGER', "'1_0'"],
    ['INTEGER', "'0x10'"],
    ['VARIANT', "'[1]'"],
    ['BINARY', "'ff'"],
  ])('takes no default of the type %s that INSERT refuses: %s', async (type, value) => {
    const schema = opened.schema();
    const two = [
      ['ID', 'NUMBER', '', '', '', ''],
      ['V', type, '', '', value, ''],
    ];
    const created = await runOne(schema, 'create-table', {
      newTableName: 'O',
      createReplace: 'Create',
      columns: two,
    });
    const sqlScript = 'insert into o (id) values (1)';
    const inserted =
      created.status === 'SUCCESS' ? await runOne(schema, 'sql-script', { sqlScript }) : created;
    expect(inserted.status).toBe('FAILED');
    expect(inserted.message).not.toContain('Unimplemented');
  });

  test.each([
    ['DATE', "'2024-01-05'", '2024-01-05'],
    ['DATE', 'CURRENT_DATE', '2031-01-01'],
    ['INTEGER', "'5'", 5],
    ['NUMBER', '1.5', 2],
    ['VARCHAR', '1.50', '1.50'],
    ['BOOLEAN', 'TRUE', true],
  ])('stores the default of the type %s: %s', async (type, value, stored) => {
    const schema = opened.schema();
    const two = [
      ['ID', 'NUMBER', '', '', '', ''],
      ['V', type, '', '', value, ''],
    ];
    await runOne(schema, 'create-table', { newTableName: 'O', createReplace: 'Create', columns: two });
    const sqlScript = 'insert into o (id) values (1)';
    expect((await runOne(schema, 'sql-script', { sqlScript })).message).not.toContain('rror');
    const [row] = await schema.rows('O');
    expect(row?.[1]).toBe(stored);
  });

  test.each([
    ['Create', 'FAILED', 1],
    ['Create if not exists', 'SUCCESS', 1],
    ['Replace', 'SUCCESS', 3],
  ])('with the mode %s and an existing table: %s', async (mode, status, count) => {
    const schema = opened.schema();
    await schema.create('orders', { OLD: TEXT }, [['kept']]);
    expect((await runOne(schema, 'create-table', create(mode))).status).toBe(status);
    expect(schema.columns('orders')).toHaveLength(count);
  });

  test('refuses a table whose name differs in case only, a view, and a table without columns', async () => {
    const schema = opened.schema();
    await schema.create('ORDERS', { ID: NUMBER }, []);
    expect((await runOne(schema, 'create-table', create('Replace'))).message).toContain(
      'their names differ only in upper and lower case',
    );
    await runOne(schema, 'sql-script', { sqlScript: 'CREATE VIEW "v" AS SELECT 1 AS n' });
    const view = { ...create('Replace'), newTableName: 'v' };
    expect((await runOne(schema, 'create-table', view)).message).toMatch(/the view .* exists already/);
    const empty = { newTableName: 'none', createReplace: 'Create', columns: null };
    expect((await runOne(schema, 'create-table', empty)).message).toContain('no columns are listed');
  });

  test('of the other form has its own names of parameters, and metadata of five cells', async () => {
    const schema = opened.schema();
    const parameters = {
      table: 'orders',
      createMethod: 'Create If Not Exists',
      someTableType: 'Transient',
      tableMetadata: [['id', 'NUMBER', '10', '2', 'a comment']],
    };
    expect((await runOne(schema, 'create-table-v2', parameters)).status).toBe('SUCCESS');
    expect(schema.columns('orders')).toEqual([
      { name: 'id', type: { name: 'NUMBER', precision: 10, scale: 2 } },
    ]);
  });
});

describe('delete-tables', () => {
  test('fails for a table that is listed twice, as the second DROP does', async () => {
    const schema = opened.schema();
    await schema.create('a', { ID: NUMBER }, []);
    const done = await runOne(schema, 'delete-tables', { targetTable: ['a', 'a'] });
    expect(done.message).toContain('the table "a" is listed twice in targetTable; remove one of the two');
    expect(schema.has('a')).toBe(true);
  });

  test('drops the tables of a grid, and fails for a missing one unless it may be missing', async () => {
    const schema = opened.schema();
    await schema.create('a', { ID: NUMBER }, []);
    const variables = { tables: variable('GRID', [['a'], ['b']], { columns: ['name'] }) };
    const targetTable = { fromGrid: { variable: 'tables', columns: ['name'] } };
    const strict = await runOne(schema, 'delete-tables', { targetTable }, { variables });
    expect(strict.message).toMatch(
      /the table .*"b" was not found; set ignoreMissing to Yes to ignore tables that do not exist$/,
    );
    expect(schema.has('a')).toBe(true);
    const lenient = { targetTable, ignoreMissing: 'Yes' };
    expect((await runOne(schema, 'delete-tables', lenient, { variables })).message).toMatch(
      /^Dropped .*"a"\.$/,
    );
    expect(schema.has('a')).toBe(false);
  });

  test('refuses a view', async () => {
    const schema = opened.schema();
    await runOne(schema, 'sql-script', { sqlScript: 'CREATE VIEW v AS SELECT 1 AS n' });
    const done = await runOne(schema, 'delete-tables', { targetTable: ['V'], ignoreMissing: 'Yes' });
    expect(done.message).toMatch(
      /"V" is a view, and only tables can be dropped here; remove it from targetTable$/,
    );
  });
});

describe('assert-table', () => {
  test.each([
    [{ tableName: 'orders', exists: 'Yes' }, 'SUCCESS', /"orders" exists\.$/],
    [{ tableName: 'none', exists: 'Yes' }, 'FAILED', /"none" does not exist$/],
    [{ tableName: 'ORDERS', exists: 'Yes' }, 'FAILED', /"orders": upper and lower case differ$/],
    [{ tableName: 'none', exists: 'No' }, 'SUCCESS', /as expected\.$/],
    [
      { tableName: 'orders', exists: 'No' },
      'FAILED',
      /"orders" exists, but it must not exist, because the parameter exists is No/,
    ],
    [{ tableName: 'orders', rowCountComparisonType: 'Equal To', rowCountValue: '2' }, 'SUCCESS', /2 rows\.$/],
    [{ tableName: 'orders', rowCountComparisonType: 'Equal To', rowCountValue: '' }, 'SUCCESS', /exists/],
    [{ tableName: 'orders', rowCountValue: null }, 'FAILED', /an unquoted null for rowCountValue;/],
    [
      { tableName: 'orders', rowCountComparisonType: 'Greater than', rowCountValue: '${n}' },
      'FAILED',
      /has 2 rows, expected: greater than 2$/,
    ],
    [
      { tableName: 'orders', rowCountComparisonType: 'Range', rowCountValue: '1' },
      'FAILED',
      /rowCountComparisonType: Range/,
    ],
    [{ tableName: 'orders', rowCountComparisonType: 'Bigger' }, 'FAILED', /rowCountComparisonType: Bigger/],
    [{ tableName: 'orders', rowCountValue: '0x2' }, 'FAILED', /expected a number of rows/],
    [{ tableName: 'orders', rowCountValue: '0b10' }, 'FAILED', /expected a number of rows/],
    [{ tableName: 'orders', rowCountValue: ' ' }, 'FAILED', /expected a number of rows/],
    [{ tableName: 'orders', rowCountValue: '\u{a0}2' }, 'FAILED', /expected a number of rows/],
    [{ tableName: 'orders', tableMetadata: [['id']] }, 'FAILED', /Millrace does not support `tableMetadata`/],
  ])('%j: %s', async (parameters, status, message) => {
    const schema = opened.schema();
    await schema.create('orders', { id: NUMBER }, [[1], [2]]);
    const done = await runOne(schema, 'assert-table', parameters, {
      variables: { n: variable('NUMBER', '2') },
    });
    expect(done.status).toBe(status);
    expect(done.message).toMatch(message);
  });
});

test.each(['create-file-format', 'alter-warehouse', 'refresh-external-table'])(
  'a component of the type %s succeeds and says that it has no effect',
  async (type) => {
    const done = await runOne(opened.schema(), type, { commandType: 'Resume', properties: [['SIZE', 'X']] });
    expect(done).toMatchObject({ status: 'SUCCESS', message: 'It has no effect in Millrace.' });
  },
);

test.each([
  ['In', ['2', '4'], '2 rows removed from "g".'],
  ['not in', ['1', '3'], '2 rows removed from "g".'],
])('remove-from-grid with the operation %s leaves the rows %j', async (operation, left, message) => {
  const main = pipeline(
    {
      Start: startThen('Remove'),
      Remove: {
        type: 'remove-from-grid',
        parameters: {
          targetGridVariable: 'g',
          operation,
          keyColumns: ['KEY'],
          valuesGrid: [['${which}'], ['c']],
        },
      },
    },
    {
      g: variable(
        'GRID',
        [
          ['1', 'a'],
          ['2', 'b'],
          ['3', 'c'],
          ['4', 'A'],
        ],
        { columns: ['n', 'key'] },
      ),
      which: variable('TEXT', 'a'),
    },
  );
  const done = await opened.schema().run({ 'main.orch.yaml': main });
  const rows = done.variable('g');
  expect(Array.isArray(rows) && rows.map(([n]) => n)).toEqual(left);
  expect(done.state.steps.at(-1)?.message).toBe(message);
});
