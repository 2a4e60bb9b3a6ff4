import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Column } from '../../../engine/core/relation.ts';
import type { SqlType } from '../../../engine/core/sql-type.ts';
import type { Value, Warehouse } from '../../../engine/duckdb/connection/warehouse.ts';
import { openSmall, valueOf } from './open.ts';

let warehouse: Warehouse;
let two: Warehouse;
const name = (table: string) => ({ database: 'DB', schema: 'PUBLIC', table });
const text = (length?: number): SqlType => ({ name: 'VARCHAR', length });
const number = (precision: number, scale: number): SqlType => ({ name: 'NUMBER', precision, scale });

beforeAll(async () => {
  warehouse = await openSmall();
  two = await openSmall({ kind: 'WAREHOUSE_TWO' });
});

afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
  await two[Symbol.asyncDispose]();
});

const roundTrips: readonly (readonly [SqlType, readonly Value[]])[] = [
  [number(38, 0), [0, -1, 9007199254740991, 9007199254740992n, -99999999999999999999999999999999999999n]],
  [number(10, 2), ['0.00', '-0.05', '1.50', '99999999.99']],
  [number(38, 38), ['-0.00000000000000000000000000000000000001']],
  [{ name: 'FLOAT' }, [0.1, -0, 1e300, 5e-324, 'NaN', 'Infinity', '-Infinity']],
  [text(), ['', ' ', 'a\nb', "it's", 'NULL', '😀', 'a\u0000b']],
  [text(3), ['äöü', '😀😀😀']],
  [{ name: 'BOOLEAN' }, [true, false]],
  [{ name: 'DATE' }, ['2024-02-29', '0001-01-01', '9999-12-31']],
  [{ name: 'TIME' }, ['00:00:00', '23:59:59.999999', '03:04:05.5']],
  [{ name: 'TIMESTAMP' }, ['1969-12-31 23:59:59.999999', '2024-01-02 03:04:05.12', '2024-01-02 00:00:00']],
  [{ name: 'TIMESTAMP_TZ' }, ['2024-01-02 03:04:05.12+00:00']],
  [{ name: 'BINARY' }, ['', '00FF5C78']],
  [
    { name: 'VARIANT' },
    [
      [],
      {},
      'text',
      '',
      1,
      1.5,
      true,
      [1, [null, 'x']],
      { b: 1, a: { c: [12345678901234567890n] }, __x: 'y' },
    ],
  ],
];

test.each(roundTrips)('values of %o come back as they were written', async (type, values) => {
  const cells = [...values, null];
  const table = await warehouse.createTable(
    name('R'),
    [{ name: 'V', type }],
    cells.map((value) => [value]),
  );

  const { columns, rows } = await warehouse.query(`SELECT * FROM ${table.sql}`, { maxRows: 100 });

  expect(rows.map(([value]) => value)).toEqual(cells);
  expect(table.columns).toEqual([{ name: 'V', type }]);
  // A result does not have the length of a text column.
  expect(columns).toEqual([{ name: 'V', type: type.name === 'VARCHAR' ? text() : type }]);
});

test.each<[type: SqlType, value: Value]>([
  [number(4, 1), '20.30'],
  [number(4, 0), '1.50e2'],
  [number(4, 2), '-15e-1'],
  [{ name: 'FLOAT' }, '100000000000000000000.00'],
  [{ name: 'FLOAT' }, '0.1'],
  [{ name: 'DATE' }, '2024-01-02 00:00:00'],
  [{ name: 'TIMESTAMP' }, '2024-01-02T03:04:05.1234560Z'],
  [{ name: 'TIMESTAMP' }, '2024-01-02 03:04:05+00:00'],
])('%o holds another spelling of a value: %s', async (type, value) => {
  const table = await warehouse.createTable(name('R'), [{ name: 'V', type }], [[value]]);
  expect(table.columns).toEqual([{ name: 'V', type }]);
});

test.each<[type: SqlType, value: Value, message: RegExp]>([
  [number(38, 0), 'abc', /^row 2: "abc" is not a NUMBER\(38,0\), in column "V"$/],
  [number(3, 1), '123.4', /^row 2: "123.4" is not a NUMBER\(3,1\)/],
  [text(2), 'abc', /^row 2: "abc" is not a VARCHAR\(2\)/],
  [{ name: 'DATE' }, '01/31/2024', /is not a DATE/],
  [{ name: 'BINARY' }, 'ABC', /is not a BINARY/],
  [number(38, 0), 9.99, /^row 2: "9.99" has more decimal places than NUMBER\(38,0\), in column "V"$/],
  [number(4, 1), '20.26', /^row 2: "20.26" has more decimal places than NUMBER\(4,1\)/],
  [number(38, 2), '1e-3', /has more decimal places/],
  [{ name: 'INTEGER' }, 1.5, /has more decimal places than INTEGER/],
  [{ name: 'FLOAT' }, '9007199254740993', /has more digits than FLOAT/],
  [{ name: 'DATE' }, '2024-01-02 03:04:05', /has a time of day, unlike DATE/],
  [{ name: 'TIME' }, '2024-01-02 03:04:05', /has a date, unlike TIME/],
  [{ name: 'TIMESTAMP' }, '2024-01-02 03:04:05.1234567', /has more digits than TIMESTAMP/],
  [{ name: 'TIMESTAMP' }, '2024-01-02 03:04:05+02:00', /has a time zone, unlike TIMESTAMP/],
  [{ name: 'BOOLEAN' }, { a: 1 }, /^row 2: a list or a map is not a BOOLEAN/],
])('a value that does not fit %o is refused with its row', async (type, value, message) => {
  const creation = warehouse.createTable(name('BAD'), [{ name: 'V', type }], [[null], [value]]);

  await expect(creation).rejects.toThrow(message);
  expect(warehouse.catalog.find(name('BAD'))).toBeUndefined();
});

test('text beyond its length is refused when SQL writes it, in characters or in bytes', async () => {
  const columns = [{ name: 'A', type: text(2) }];
  await warehouse.createTable(name('L'), columns, []);
  await two.createTable(name('L'), columns, []);

  expect(await warehouse.run(`INSERT INTO "DB.PUBLIC"."L" VALUES ('äö')`)).toBe(1);
  await expect(warehouse.run(`INSERT INTO "DB.PUBLIC"."L" VALUES ('abc')`)).rejects.toThrow(
    /^a text is longer than VARCHAR\(2\) allows: column "?A"? of the table L$/,
  );
  await expect(two.run(`INSERT INTO "DB.PUBLIC"."L" VALUES ('äö')`)).rejects.toThrow(/^a text is longer/);
});

test('values of results that no table holds have one form too', async () => {
  expect(await valueOf(warehouse, "SELECT {'a': [1, NULL], 'b': {'c': 1.50}}")).toEqual({
    a: [1, null],
    b: { c: '1.50' },
  });
  expect(await valueOf(warehouse, "SELECT MAP {'k': DATE '2024-01-01'}")).toEqual({ k: '2024-01-01' });
  expect(await valueOf(warehouse, `SELECT '{"__proto__": 1, "n": null}'::JSON`)).toEqual(
    JSON.parse('{"__proto__": 1, "n": null}'),
  );
  expect(await valueOf(warehouse, "SELECT 'null'::JSON")).toBeNull();
  expect(await valueOf(warehouse, 'SELECT sum(9223372036854775807::BIGINT) FROM range(2)')).toBe(
    18446744073709551614n,
  );
});

test('whole numbers have the types of the warehouse', async () => {
  const sql = 'SELECT 1::SMALLINT AS a, 1::INTEGER AS b, 1::BIGINT AS c, 1::HUGEINT AS d';
  const typesOf = (columns: readonly Column[]) => columns.map(({ type }) => type.name);
  expect(typesOf(await warehouse.describe(sql))).toEqual(['NUMBER', 'NUMBER', 'NUMBER', 'NUMBER']);
  expect(typesOf(await two.describe(sql))).toEqual(['SMALLINT', 'INTEGER', 'BIGINT', 'NUMBER']);
});

test('the catalog has real names, also those with dots, and finds names of another case for messages', async () => {
  const odd = { database: 'My.DB%2E', schema: 'a b', table: 'orders "x"' };
  await warehouse.createTable(odd, [{ name: 'id', type: text() }], [['1']]);

  expect(warehouse.catalog.find(odd)).toMatchObject({ ...odd, kind: 'table' });
  expect(warehouse.catalog.find({ ...odd, table: 'ORDERS "X"' })).toBeUndefined();
  expect(warehouse.catalog.findIgnoringCase({ ...odd, table: 'ORDERS "X"' })).toMatchObject(odd);
  expect(await valueOf(warehouse, `SELECT "id" FROM ${warehouse.catalog.find(odd)?.sql}`)).toBe('1');
});

test('tables and columns whose names differ in case only are refused', async () => {
  await warehouse.createTable(name('Case'), [{ name: 'a', type: text() }], []);

  await expect(warehouse.createTable(name('CASE'), [{ name: 'a', type: text() }], [])).rejects.toThrow(
    /"Case" and "CASE".*differ only in upper and lower case/,
  );
  const columns = ['a', 'A'].map((column) => ({ name: column, type: text() }));
  await expect(warehouse.createTable(name('C'), columns, [])).rejects.toThrow(
    /"a" and "A" differ only in upper and lower case/,
  );
});

test('a schema whose name differs from another one in case only is refused', async () => {
  await warehouse.createSchema('DB', 'cased');
  await expect(warehouse.createSchema('DB', 'CASED')).rejects.toThrow(/differ only in upper and lower case/);
  await warehouse.createSchema('DB', 'cased');
});

test('the catalog lists tables and views by name, after refresh', async () => {
  const at = (table: string) => ({ database: 'D2', schema: 'S', table });
  await warehouse.createTable(at('b'), [{ name: 'x', type: text(5) }], []);
  await warehouse.createTable(at('a'), [{ name: 'x', type: text(5) }], []);
  await warehouse.run('CREATE VIEW "D2.S"."v" AS SELECT "x" AS "y" FROM "D2.S"."a"');
  await warehouse.run('ALTER TABLE "D2.S"."a" RENAME COLUMN "x" TO "z"');
  await warehouse.run('DROP TABLE "D2.S"."b"');
  expect(warehouse.catalog.list('D2', 'S').map(({ table }) => table)).toEqual(['a', 'b']);

  await warehouse.refresh();

  expect(warehouse.catalog.list('D2', 'S')).toMatchObject([
    { table: 'a', kind: 'table', columns: [{ name: 'z', type: text(5) }] },
    { table: 'v', kind: 'view', columns: [{ name: 'y', type: text() }] },
  ]);
});

test('a table is replaced by one with other columns; its rows keep their order', async () => {
  await warehouse.createTable(name('P'), [{ name: 'A', type: text() }], [['old']]);
  const rows = Array.from({ length: 5000 }, (_, index) => [index]);
  await warehouse.createTable(name('P'), [{ name: 'B', type: number(38, 0) }], rows);

  expect((await warehouse.query('SELECT * FROM "DB.PUBLIC"."P"', { maxRows: 9999 })).rows).toEqual(rows);
});
