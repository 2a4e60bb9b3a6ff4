import { expect, test } from 'vitest';
import { Refusal, SqlError } from '../../../../engine/core/refusal.ts';
import type { Table } from '../../../../engine/core/relation.ts';
import { sourceText } from '../../../../engine/core/source-text.ts';
import type { DialectContext } from '../../../../engine/core/dialect.ts';
import { functionNames } from '../../../../engine/dialect/write/call.ts';
import { readTypeText } from '../../../../engine/dialect/read-type-text.ts';
import {
  translateExpression,
  translateQuery,
  translateScript,
} from '../../../../engine/dialect/translate.ts';

const table: Table = {
  database: 'DB',
  schema: 'S',
  table: 'T',
  kind: 'table',
  sql: '"DB.S"."T"',
  columns: [
    { name: 'ID', type: { name: 'NUMBER', precision: 38, scale: 0 } },
    { name: 'DOC', type: { name: 'VARIANT' } },
  ],
};
const context: DialectContext = {
  warehouse: 'WAREHOUSE_ONE',
  catalog: {
    find: (name) => (name.table === 'T' ? table : undefined),
    findIgnoringCase: (name) => (name.table.toUpperCase() === 'T' ? table : undefined),
    all: () => [table],
    list: () => [table],
  },
  defaults: { database: 'DB', schema: 'S' },
  now: 0,
  components: new Map(),
};

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

test.each([
  ['select 1,\n  nope(id) from t', 2, 3, 'the function NOPE'],
  ['select $1 from t', 1, 8, '$1'],
  ['select * from @stage', 1, 15, 'the character "@"'],
  ['select id from t group by rollup (1)', 1, 35, 'a position in ROLLUP, CUBE or GROUPING SETS'],
  ['select f(id) from t', 1, 8, 'the function F'],
  ['select "f"(id) from t', 1, 8, 'the function f'],
  ['select id from t group by cube (1, 2, 3, 4, 5, 6, 7, 8)', 1, 27, 'a CUBE of more than 7 expressions'],
  ['select id from t sample (10)', 1, 18, 'SAMPLE after a table'],
  ['select id from t at (offset => -60)', 1, 18, 'AT after a table'],
  ['select t.id from t, t u where t.id = u.id(+)', 1, 42, 'the operator (+) for an outer join'],
  ['select sum(id) over w from t', 1, 21, 'a named window'],
  ["select * from table(result_scan('x'))", 1, 21, 'the table function RESULT_SCAN'],
  ['select f.seq from t, lateral flatten(input => doc) f', 1, 8, 'the column SEQ of FLATTEN'],
  [
    'select f.path from t, lateral flatten(input => doc, outer => true) f',
    1,
    8,
    'the column PATH of FLATTEN',
  ],
  ['select a from t, lateral flatten(input => doc) f (a)', 1, 48, 'names of columns after FLATTEN'],
  ["select * from table(split_to_table('a', ','))", 1, 8, '* over SPLIT_TO_TABLE'],
  [
    "select value from table(split_to_table('a', ''))",
    1,
    45,
    'SPLIT_TO_TABLE with a separator that is empty or not a literal',
  ],
  [
    "select 1 from t, lateral flatten(input => doc, mode => 'ALL') f",
    1,
    56,
    'FLATTEN with this MODE argument',
  ],
  [
    'select 1 from t, lateral flatten(input => doc, recursive => true) f',
    1,
    61,
    'FLATTEN(… RECURSIVE => TRUE)',
  ],
  ["select st_x(to_geography('POINT(1 2)'))", 1, 8, 'the function ST_X'],
  ["select to_char(id, '$9,990.00MI') from t", 1, 8, 'the number format of TO_CHAR'],
  ["select to_number('12-', '99MI')", 1, 8, 'the number format of TO_NUMBER'],
  ["select to_char(current_date, 'Q')", 1, 8, 'these arguments of TO_CHAR'],
  ["select '01/31/2024'::date", 1, 20, "the date text '01/31/2024'"],
  ['select id, "id" from (select id, 1 "id" from t)', 1, 34, 'two columns with the names "ID" and "id"'],
  ["select 'a' || id + 1 from t", 1, 18, '|| and + in one expression without parentheses'],
  ['select id::geography from t', 1, 12, 'the type GEOGRAPHY'],
  ['select 1; select 2', 1, 11, 'several statements in a query'],
  ["select query('select 1')", 1, 8, 'the function QUERY'],
  ["select cast('4142' as binary)", 1, 8, 'a cast from text to BINARY'],
  ["select try_cast(x as varbinary) from (select '4142' x) t", 1, 8, 'a cast from text to BINARY'],
  ['select 1 + 1e400', 1, 12, 'the number 1e400'],
  ['select try_cast(doc as date) from t', 1, 8, 'TRY_CAST of VARIANT'],
  ['select try_cast(id as varchar) from t', 1, 8, 'TRY_CAST of NUMBER(38,0)'],
  ["select trim('x' from 'xax')", 1, 17, 'TRIM(… FROM …)'],
  ["select trim(both 'x' from 'xax')", 1, 18, 'TRIM(… FROM …)'],
  ["select trim(leading from ' a')", 1, 21, 'TRIM(… FROM …)'],
  ["select substring('abc' from 2 for 1)", 1, 24, 'SUBSTRING(… FROM …)'],
  ['select uuid_string() r, r || 1 s', 1, 8, 'the alias R of a value that changes with each evaluation'],
  [
    'select id + ids.nextval n, n + 1 m from t',
    1,
    11,
    'the alias N of a value that changes with each evaluation',
  ],
])('%s is refused with its place', (sql, line, column, construct) => {
  const failure = failureOf(() => translateQuery(sourceText(sql, 'q.sql'), context));
  expect(failure).toBeInstanceOf(Refusal);
  expect(failure).toMatchObject({ construct, place: { file: 'q.sql', line, column } });
});

test.each([
  ['select "Id" from t', 'q.sql:1:8: column "Id" not found; the table has "ID"'],
  ['select x.id from t', 'q.sql:1:8: FROM has no table "X"; it has "T"'],
  ['select id from "t"', 'q.sql:1:16: table "DB"."S"."t" not found; there is "DB"."S"."T"'],
  [
    'select id from t a, t b',
    'q.sql:1:8: several tables in FROM have a column "ID"; write the name or alias of the table before it',
  ],
  ['select ${x}', 'q.sql:1:8: the variable ${x} has no value'],
  ["select 'a", 'q.sql:1:8: the text that begins here has no closing single quote: add it'],
  [
    'select id from t union select id, 1 from t',
    'q.sql:1:18: the two queries of UNION must have the same number of columns, but they have 1 and 2',
  ],
  ['select id from t order by 2', 'q.sql:1:27: ORDER BY 2 is not the position of a column: the query has 1'],
  [
    'select id from t group by 2',
    'q.sql:1:27: GROUP BY 2 is not the position of a column: the SELECT list has 1',
  ],
  [
    'with c (a, b) as (select id from t) select a from c',
    'q.sql:1:6: c lists 2 column names, but its query has 1 column',
  ],
  ['select 1 union all distinct select 2', 'q.sql:1:20: expected SELECT, but found distinct'],
  ['select 1 union distinct all select 2', 'q.sql:1:25: expected SELECT, but found all'],
  ['select id from', 'q.sql:1:15: expected a name, but the statement ends'],
  ['select upper() from t', 'q.sql:1:8: UPPER takes 1 argument, not 0'],
  ['select id "a" "b" from t', 'q.sql:1:15: syntax error near "b"'],
  ['select id\nfrom t\nwher "ID" > 1', 'q.sql:3:6: syntax error near "ID"; did you mean WHERE?'],
  ['select id from t oder by id', 'q.sql:1:23: syntax error near by; did you mean ORDER?'],
  ['select id from t where id = 1)', 'q.sql:1:30: syntax error near )'],
  ['select id from t where id = 1 2', 'q.sql:1:31: syntax error near 2'],
  ['select * from $T{Nobody}', 'q.sql:1:15: $T{Nobody} is not a source of this component'],
])('%s is an error with its place', (sql, message) => {
  const failure = failureOf(() => translateQuery(sourceText(sql, 'q.sql'), context));
  expect(failure).toBeInstanceOf(SqlError);
  expect(failure).toMatchObject({ message });
});

test.each([
  ['selct 1', 'q.sql:1:1: syntax error near selct; did you mean SELECT?'],
  ['select 1;\n insrt into t values (1)', 'q.sql:2:2: syntax error near insrt; did you mean INSERT?'],
  ['nonsense', 'q.sql:1:1: syntax error near nonsense'],
  ['1 + 1', 'q.sql:1:1: syntax error near 1'],
  ['create table x as select id "a" "b" from t', 'q.sql:1:33: syntax error near "b"'],
])('the script %s is an error with its place', (sql, message) => {
  const failure = failureOf(() => [...translateScript(sourceText(sql, 'q.sql'), context)]);
  expect(failure).toBeInstanceOf(SqlError);
  expect(failure).toMatchObject({ message });
});

test.each([
  ['select id from t for update', 'for after t'],
  ['select id from t where id collate x', 'collate after id'],
  ['select id from t connect by id = 1', 'CONNECT BY'],
])('the clause of %s is refused', (sql, construct) => {
  const failure = failureOf(() => translateQuery(sourceText(sql, 'q.sql'), context));
  expect(failure).toBeInstanceOf(Refusal);
  expect(failure).toMatchObject({ construct });
});

test('an unknown function near a known one is refused with the known one', () => {
  const failure = failureOf(() =>
    translateQuery(sourceText('select coalsce(id, 1) from t', 'q.sql'), context),
  );
  expect(failure).toMatchObject({ construct: 'the function COALSCE', hint: 'did you mean COALESCE?' });
});

test.each([
  ['copy into t from x', 'COPY INTO'],
  ['call p()', 'CALL'],
  ["execute immediate 'select 1'", 'EXECUTE IMMEDIATE'],
  ['insert all into t values (default, 1) select 1 a', 'DEFAULT in INSERT ALL'],
  ['insert all into t (id) values (ids.nextval) select 1 a', 'NEXTVAL in INSERT ALL'],
  ['create table x clone t at (offset => -60)', 'CLONE … AT'],
  ['create table x like t', 'CREATE TABLE … LIKE'],
  ['create stream s on table t', 'CREATE STREAM'],
  ['create or replace procedure p() as $$ $$', 'CREATE OR REPLACE PROCEDURE'],
  ['set (x, y) = (1, 2)', 'SET of several variables'],
  ['set x = 1; select $x', '$x'],
  ['begin', 'BEGIN'],
  ["alter session set timezone = 'UTC'", 'ALTER SESSION'],
  ["attach ':memory:' as x", 'ATTACH'],
  ['create table x (a int unsigned)', 'the column option UNSIGNED'],
])('the statement %s is refused', (sql, construct) => {
  const failure = failureOf(() => [...translateScript(sourceText(sql, 'q.sql'), context)]);
  expect(failure).toBeInstanceOf(Refusal);
  expect(failure).toMatchObject({ construct });
});

test.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)(
  'every listed function of %s is read as a call: none is a word of the grammar only',
  (warehouse) => {
    const failures = functionNames(warehouse).map((name) =>
      failureOf(() =>
        translateQuery(sourceText(`select ${name}(nothing)`, 'q.sql'), { ...context, warehouse }),
      ),
    );
    expect(failures.filter((failure) => String(failure).includes('expected a value'))).toEqual([]);
  },
);

test.each([
  ['NUMMER', 'WAREHOUSE_ONE', 'did you mean "NUMBER"?'],
  ['QUANTITY', 'WAREHOUSE_ONE', /^known types: NUMBER\(precision, scale\), VARCHAR, .*, VARIANT$/],
  ['GEOGRAPHY', 'WAREHOUSE_ONE', 'only the warehouse can compute with geographic shapes: mock the component'],
  ['NUMBER(10,2)', 'WAREHOUSE_TWO', /^known types: DECIMAL\(precision, scale\), SMALLINT, .*, SUPER$/],
] as const)('the unknown type %s on %s is refused with the types that there are', (text, kind, hint) => {
  const failure = failureOf(() => readTypeText(sourceText(text, 'q.sql'), kind));
  expect(failure).toBeInstanceOf(Refusal);
  expect(failure).toMatchObject({
    hint: typeof hint === 'string' ? hint : expect.stringMatching(hint),
  });
});

test('SET never reaches the settings of the engine: it becomes a query of its value', () => {
  const parts = [...translateScript(sourceText("set memory_limit = '10GB'", 'q.sql'), context)];
  const [part] = parts;
  expect(parts).toHaveLength(1);
  expect(part?.kind === 'query' ? part.query.sql : part).toMatch(
    /^SELECT CAST\('10GB' AS VARCHAR\)|^SELECT '10GB'/,
  );
});

test('expressions with too many levels are refused', () => {
  const nested = (levels: number) => `${'('.repeat(levels)}1${')'.repeat(levels)}`;
  const failure = (levels: number) =>
    failureOf(() => translateExpression(sourceText(nested(levels), 'e'), new Map(), context));
  // The expression itself is a level too.
  expect(failure(199)).toBeUndefined();
  expect(failure(200)).toMatchObject({ construct: 'SQL with more than 200 levels of nesting' });
});

test('an expression reads the columns of its scope by alias and without one', () => {
  const scope = new Map([['i', { sql: 's1', columns: table.columns }]]);
  expect(translateExpression(sourceText('"i"."ID" + id', 'e'), scope, context).sql).toBe(
    '(s1."ID" + s1."ID")',
  );
});
