import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, runScript } from '../write/orders.ts';

const NO_TABLE = /table .* not found/;
const BOTH_WRONG = [
  ['grant foo bar baz', 'TO is missing'],
  ['grant select on orders to', 'expected a name, but the statement ends'],
  ['revoke select on orders', 'FROM is missing'],
  ["comment on table nope is 'x'", NO_TABLE],
  ["comment on column orders.nope is 'x'", /column "nope" not found/i],
  ['comment on table orders', 'expected IS'],
  ['create role', 'expected a name, but the statement ends'],
  ['drop user', 'expected a name, but the statement ends'],
] as const;
const BOTH_RIGHT = [
  'grant select, insert on orders to role r',
  'grant all privileges on table orders to role r',
  'grant usage on schema s to role r',
  'grant select on all tables in schema s to role r',
  'grant role r to user u',
  'grant select on mocked to role r',
  'revoke select on orders from role r',
  "comment on table orders is 'x'",
  "comment on column orders.id is 'x'",
  "comment on schema s is 'x'",
  'create role r',
];
const WRONG = {
  WAREHOUSE_ONE: [
    ['use role', 'expected a name'],
    ['create stage', 'expected a name'],
    ['alter session set query_tag', 'expected a value'],
  ],
  WAREHOUSE_TWO: [
    ['analyze nope', NO_TABLE],
    ['analyze orders bar', 'bar after orders'],
    ['vacuum nope', NO_TABLE],
    ['vacuum nonsense full orders only', NO_TABLE],
  ],
} as const;
const RIGHT = {
  WAREHOUSE_ONE: [
    "comment if exists on table nope is 'x'",
    'grant create table on schema s to role r',
    'grant monitor on account to role r',
    'grant select on future tables in schema s to role r',
    "alter session set query_tag = 'x'",
    'alter session unset query_tag',
    'use secondary roles all',
  ],
  WAREHOUSE_TWO: [
    'analyze',
    'analyze verbose orders (id, name)',
    'analyze compression orders',
    'analyze orders predicate columns',
    'vacuum',
    'vacuum sort only orders to 75 percent boost',
    'vacuum full orders',
    "create user u password 'x'",
  ],
} as const;

describe.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)('%s: a statement without an effect', (kind) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each([...BOTH_WRONG, ...WRONG[kind]])('%s is an error', async (sql, message) => {
    await expect(runScript(sql, kind, warehouse)).rejects.toThrow(message);
  });

  test.each([...BOTH_RIGHT, ...RIGHT[kind]])('%s is taken', async (sql) => {
    await expect(runScript(sql, kind, warehouse)).resolves.toBeUndefined();
  });
});
