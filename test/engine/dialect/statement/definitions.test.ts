import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WarehouseKind } from '../../../../engine/core/sql-type.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from '../write/orders.ts';

type Wrong = readonly [definition: string, message: string | RegExp];

/** Definitions that a warehouse refuses, and the ones beside them that it takes. */
const BOTH_WRONG: readonly Wrong[] = [
  ['(a int, primary key (nope))', /column "nope" not found; the table has "a"/i],
  ['(a int, unique (nope))', /column "nope" not found/i],
  ['(a int, foreign key (nope) references orders (id))', /column "nope" not found/i],
  ['(a int, foreign key (a) references orders (nope))', /column "nope" not found/i],
  ['(a int, foreign key (a))', 'expected REFERENCES'],
  ['(a int references nope (a))', /table .* not found/],
  ['(a int references z (nope))', /column "nope" not found/i],
  ['(a int primary key, b int primary key)', 'a table can have only one primary key: remove the others'],
  ['(a int primary key, b int, primary key (b))', 'a table can have only one primary key: remove the others'],
  ['(a int null not null)', 'NULL and NOT NULL cannot be used together: leave one of them out'],
  ['(a int default 1 default 2)', 'the option DEFAULT is given twice'],
  ['(a int unique unique)', 'the option UNIQUE is given twice'],
];

const WRONG: Readonly<Record<WarehouseKind, readonly Wrong[]>> = {
  WAREHOUSE_ONE: [
    ['(a int) cluster by (nope)', 'column "NOPE" not found'],
    ['cluster by (upper(nope)) as select 1 as a', 'column "NOPE" not found'],
    ['(a varchar autoincrement)', 'the type of an identity column must be a number'],
    [
      '(a int autoincrement default 5)',
      'DEFAULT and IDENTITY cannot be used together: leave one of them out',
    ],
    ["(a int) comment = 'x' comment = 'y'", 'the option COMMENT is given twice'],
  ],
  WAREHOUSE_TWO: [
    ['(a int) distkey (nope)', 'column "nope" not found'],
    ['(a int) compound sortkey (a, nope)', 'column "nope" not found'],
    ['sortkey (nope) as select 1 as a', 'column "nope" not found'],
    ['(a int encode foo)', 'expected one of RAW, AZ64, BYTEDICT'],
    ['(a int encode az64 encode zstd)', 'the option ENCODE is given twice'],
    ['(a int) diststyle foo', 'expected one of AUTO, EVEN, KEY, ALL, but found foo'],
    ['(a int) diststyle key', 'DISTSTYLE KEY needs a DISTKEY'],
    [
      '(a int) diststyle all distkey (a)',
      'DISTSTYLE ALL and DISTKEY cannot be used together: leave one of them out',
    ],
    ['(a int distkey, b int distkey)', 'a table can have only one DISTKEY'],
    ['(a int) sortkey (a) sortkey (a)', 'the option SORTKEY is given twice'],
    ['(a super) distkey (a)', 'a column of SUPER cannot be the DISTKEY'],
    ['(a int) backup maybe', 'expected one of YES, NO, but found maybe'],
    ["(a int comment 'q')", 'the column option COMMENT'],
    ['(a varchar(9) identity(1, 1))', 'the type of an identity column must be INTEGER or BIGINT'],
    ['(a smallint identity(1, 1))', 'the type of an identity column must be INTEGER or BIGINT'],
    ['(a int identity(0, 1), b int identity(0, 1))', 'a table can have only one identity column'],
    [
      '(a int identity(1, 1) default 5)',
      'DEFAULT and IDENTITY cannot be used together: leave one of them out',
    ],
    ['(a int identity)', 'expected "("'],
    ['(a int autoincrement)', 'the column option AUTOINCREMENT'],
  ],
};

const RIGHT: Readonly<Record<WarehouseKind, readonly string[]>> = {
  WAREHOUSE_ONE: [
    '(a int not null primary key, b int references orders (id), unique (a, b), foreign key (b) references z (a))',
    "(a int, d date, v variant comment 'x') cluster by (a, to_date(d), v:x::int) comment = 'y' copy grants",
    'cluster by (a) as select 1 as a, 2 as b',
    '(a int autoincrement start 5 increment 2 noorder, b float identity(1, 1), c int default 5)',
  ],
  WAREHOUSE_TWO: [
    '(a int not null primary key, b int references orders (id), unique (a, b), foreign key (b) references z (a))',
    '(a int encode az64 distkey, b int sortkey) diststyle key',
    '(a int, b varchar(9) encode text255) distkey (a) interleaved sortkey (a, b) backup no',
    '(a int) diststyle auto sortkey auto encode auto',
    'distkey (a) sortkey (b, a) as select 1 as a, 2 as b',
    '(a bigint identity(1, 1), b int default 5)',
  ],
};

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    await runScript('drop table if exists z', kind, warehouse);
  });

  test.each([...BOTH_WRONG, ...WRONG[kind]])('create table z %s is an error', async (rest, message) => {
    await expect(runScript(`create table z ${rest}`, kind, warehouse)).rejects.toThrow(message);
  });

  test.each(RIGHT[kind])('create table z %s runs', async (rest) => {
    await runScript(`create table z ${rest}`, kind, warehouse);
    expect(await rowsOf('select count(a) >= 0 from z', kind, warehouse)).toBe('[[true]]');
  });
});

describe('WAREHOUSE_TWO: an identity column counts on its own', () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders('WAREHOUSE_TWO');
    await runScript(
      'create table counted (i int identity(1, 1), v int); create table u (i int, v int)',
      'WAREHOUSE_TWO',
      warehouse,
    );
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each([
    'insert into counted values (7, 2)',
    'insert into counted (i, v) values (7, 2)',
    'insert into counted (v, i) select 1, 2',
    'insert into counted select 1, 2',
    'update counted set v = 1, i = 3',
    'merge into counted using u on counted.v = u.v when matched then update set i = u.i when not matched then insert (v) values (u.v)',
    'merge into counted using u on counted.v = u.v when matched then delete when not matched then insert (i) values (u.i)',
  ])('%s is an error', async (sql) => {
    await expect(runScript(sql, 'WAREHOUSE_TWO', warehouse)).rejects.toThrow(
      '"i" is an identity column, whose values the warehouse generates: leave the column out',
    );
  });

  test('its values are computed, also of DEFAULT; BY DEFAULT takes values too', async () => {
    const script = `insert into counted (v) values (5), (6); insert into counted values (default, 7);
      insert into counted (v) select 8; update counted set v = v + 1;
      create table given (i int generated by default as identity(1, 1), v int);
      insert into given values (7, 2); insert into given (v) values (3)`;
    await runScript(script, 'WAREHOUSE_TWO', warehouse);
    expect(await rowsOf('select i, v from counted order by i', 'WAREHOUSE_TWO', warehouse)).toBe(
      '[[1,6],[2,7],[3,8],[4,9]]',
    );
    expect(await rowsOf('select i, v from given order by v', 'WAREHOUSE_TWO', warehouse)).toBe(
      '[[7,2],[1,3]]',
    );
  });
});

test.each([
  ["boolean default 'true'", '[[true]]'],
  ["boolean default 'f'", '[[false]]'],
  ["int default '5'", '[[5]]'],
])('WAREHOUSE_TWO: the literal of a text is a default of another type: %s', async (type, rows) => {
  await using warehouse = await openOrders('WAREHOUSE_TWO');
  const script = `create table d (k int, v ${type}); insert into d (k) values (1)`;
  await runScript(script, 'WAREHOUSE_TWO', warehouse);
  expect(await rowsOf('select v from d', 'WAREHOUSE_TWO', warehouse)).toBe(rows);
});

test.each([
  [
    'WAREHOUSE_TWO',
    'boolean default 1',
    'the column has the type BOOLEAN, but its default value has the type INTEGER: cast the default value',
  ],
  [
    'WAREHOUSE_ONE',
    "boolean default 'true'",
    'the column has the type BOOLEAN, but its default value has the type VARCHAR(4): cast the default value',
  ],
] as const)('%s: a default of another type is refused: %s', async (kind, type, message) => {
  await using warehouse = await openOrders(kind);
  await expect(runScript(`create table d (v ${type})`, kind, warehouse)).rejects.toThrow(message);
});
