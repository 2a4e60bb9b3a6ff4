import { afterAll, beforeAll, expect, test } from 'vitest';
import { pipeline, startThen } from './execute.ts';
import { openTestWarehouse } from './on-warehouse.ts';

let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
beforeAll(async () => {
  opened = await openTestWarehouse();
});
afterAll(() => opened[Symbol.asyncDispose]());

const many = (count: number, item: (index: number) => string, between: string) =>
  Array.from({ length: count }, (_, index) => item(index)).join(between);
const tooLong = /the text would be longer than 16777216/;
const tooDeep = /a\.sql:1:1: Millrace does not support SQL that is nested too deep/;
const tooManyLevels = /a\.sql:1:\d+: Millrace does not support SQL with more than 200 levels of nesting/;

/** SQL that would take the memory, the stack or the time of the process. */
test.each<[what: string, sql: string, message: RegExp]>([
  ['a text of a gigabyte', "select repeat('x', 1000000000)", tooLong],
  ['a text of a gigabyte, by a column', "select repeat('x', n) from (select 1000000000 n)", tooLong],
  ['padding to the left', "select lpad('x', 1000000000, 'yz')", tooLong],
  ['padding to the right', "select rpad('x', n, 'yz') from (select 1000000000 n)", tooLong],
  ['replacing by a long text', "select replace(repeat('x', 1000000), 'x', repeat('y', 100000))", tooLong],
  [
    'replacing a pattern by a long text',
    "select regexp_replace(repeat('x', 100000), 'x', repeat('y', 100000))",
    tooLong,
  ],
  [
    'many texts of a megabyte at once',
    "select max(length(repeat('x', 1000000 + value))) from table(flatten(parse_json('[' || repeat('1, ', 999) || '1]')))",
    /a\.sql:1:1: Millrace does not support a statement that needs more than 300MB of memory/,
  ],
  [
    'many long texts joined at once',
    "select max(length(t || t)) from (select repeat('x', 1000000 + value) t from table(flatten(parse_json('[' || repeat('1, ', 179) || '1]'))))",
    /a\.sql:1:1: Millrace does not support a statement that needs more than 300MB of memory/,
  ],
  [
    'many long texts joined by CONCAT_WS at once',
    "select max(length(concat_ws('-', t, t))) from (select repeat('x', 1000000 + value) t from table(flatten(parse_json('[' || repeat('1, ', 179) || '1]'))))",
    /a\.sql:1:1: Millrace does not support a statement that needs more than 300MB of memory/,
  ],
  [
    'a recursion that doubles a text',
    "with recursive t as (select 'xxxxxxxxxxxxxxxx' s union all select s || s from t) select max(length(s)) from t",
    tooLong,
  ],
  ['NOT in a row', `select ${'not '.repeat(5_000)} true`, tooManyLevels],
  ['signs in a row', `select ${'- '.repeat(5_000)} 1`, tooManyLevels],
  ['parentheses', `select ${'('.repeat(5_000)}1${')'.repeat(5_000)}`, tooManyLevels],
  ['queries in FROM', `${'select * from ('.repeat(5_000)}select 1${')'.repeat(5_000)}`, tooManyLevels],
  ['casts in a row', `select 1${'::varchar'.repeat(20_000)}`, /more than 1000 operators in a row/],
  [
    'joins in a row',
    `select 1 from t ${'join t using (a) '.repeat(20_000)}`,
    /more than 1000 operators in a row/,
  ],
  [
    'operators in a row in each of many parentheses',
    `select ${'('.repeat(150)}1${`)${'+1'.repeat(900)}`.repeat(150)}`,
    tooDeep,
  ],
  [
    'unions in a row in each of many parentheses',
    `${'('.repeat(100)}select 1${`) ${'union all select 1 '.repeat(100)}`.repeat(100)}`,
    tooDeep,
  ],
  [
    'more unions than DuckDB reads',
    many(1_000, () => 'select 1', ' union all '),
    /Millrace does not support a statement with this many levels of nesting or this many parts; split it/,
  ],
  [
    'calls that are written several times',
    `select ${'initcap('.repeat(30)}'a'${')'.repeat(30)}`,
    /becomes too large/,
  ],
  [
    '5 MB of SQL',
    `select '${'x'.repeat(5_000_000)}'`,
    /a\.sql:1:1: Millrace does not support SQL of more than 4000000 characters/,
  ],
  ['5 MB of operators', `select ${'a+'.repeat(2_500_000)}a`, /SQL of more than 4000000 characters/],
  ['a date far away', 'select dateadd(year, 1000000000, current_date)', /a\.sql:1:1: /],
  [
    'a view that reads itself',
    'create view v as select 1 a; create or replace view v as select * from v; select * from v',
    /infinite recursion/,
  ],
])('%s is an error with its place, and the next statement runs', async (_, sql, message) => {
  const schema = opened.schema();
  const type = 'sql-executor';
  const main = pipeline({
    Start: startThen('Attack'),
    Attack: {
      type,
      parameters: { scriptLocation: 'File', fileName: 'a.sql' },
      transitions: { failure: ['After'] },
    },
    After: {
      type,
      parameters: { scriptLocation: 'Component', sqlScript: 'create table t as select 42 as n' },
    },
  });
  const { state } = await schema.run({ 'main.orch.yaml': main, 'a.sql': sql });
  expect(state.steps.find(({ component }) => component === 'Attack')).toMatchObject({
    status: 'FAILED',
    message: expect.stringMatching(message) as unknown,
  });
  expect(await schema.rows('T')).toEqual([[42]]);
});

test.each<[what: string, sql: string]>([
  ['10,000 columns', `create table t (${many(10_000, (index) => `c${index} number`, ', ')})`],
  ['20,000 values in a list', `create table t as select 1 a where 1 in (${many(20_000, String, ', ')})`],
  ['a text of 1 MB', `create table t as select '${'x'.repeat(1_000_000)}' a`],
  ['a text of 200,000 quotes', `create table t as select '${"''".repeat(200_000)}' a`],
  [
    'common tables that read each other twice',
    `create table t as with c0 as (select 1 a), ${many(40, (index) => `c${index + 1} as (select x.a from c${index} x join c${index} y on x.a = y.a)`, ', ')} select a from c40`,
  ],
])('%s run', async (_, sql) => {
  const schema = opened.schema();
  const parameters = { scriptLocation: 'File', fileName: 'a.sql' };
  const main = pipeline({ Start: startThen('Run'), Run: { type: 'sql-executor', parameters } });
  const { state } = await schema.run({ 'main.orch.yaml': main, 'a.sql': sql });
  expect(state.failed).toBeUndefined();
  expect(schema.has('T')).toBe(true);
});
