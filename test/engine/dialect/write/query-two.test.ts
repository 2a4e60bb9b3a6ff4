import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from './orders.ts';

/** Two rows with a text of 40,000 characters. */
const LONG = "from (select id, repeat('a', 40000 + id) as n from orders where id < 3) t";

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_TWO');
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
});

test.each([
  ['cuts the quotient of whole numbers', 'select 7/2, -7/2, id/2 from orders where id = 3', '[[3,-3,1]]'],
  ['folds all names to lower case', 'select "ID", Orders.Name from "ORDERS" where id = 1', '[[1,"a"]]'],
  ['skips NULL in GREATEST', 'select greatest(1, null)', '[[1]]'],
  [
    'makes timestamps of dates',
    `select dateadd(day, 1, day), date_trunc('month', day) from orders where id = 1`,
    '[["2024-02-01 00:00:00","2024-01-01 00:00:00"]]',
  ],
  ['keeps a text that fits into its type', `select 'grün'::varchar(5)`, '[["grün"]]'],
  ['cuts a text to the bytes of its type', `select 'grün'::varchar(4), 'abc'::varchar(2)`, '[["grü","ab"]]'],
  [
    'cuts the texts of a column to the bytes of their type',
    `select cast(name || 'grün' as varchar(5)), day::varchar(10), id::varchar(1), null::varchar(2) from orders where id = 1`,
    '[["agrü","2024-01-31","1",null]]',
  ],
  [
    'keeps the largest whole number of 64 bits a whole number',
    'select (9223372036854775807 / 2)::varchar',
    '[["4611686018427387903"]]',
  ],
  [
    'reads the year 69 of two digits as 2069',
    "select to_date('69-01-02', 'YY-MM-DD'), to_date('70-01-02', 'YY-MM-DD'), to_date('68-01-02', 'YY-MM-DD')",
    '[["2069-01-02","1970-01-02","2068-01-02"]]',
  ],
  [
    'lists the texts of a window',
    "select listagg(name, '-') within group (order by name desc) over (partition by id > 0) from orders where id = 1",
    '[["a"]]',
  ],
  [
    'replaces from a position on, and ignores case if asked',
    "select regexp_replace('abAb', 'a', 'x', 2), regexp_replace('abAb', 'a', 'x', 1, 'i')",
    '[["abAb","xbxb"]]',
  ],
  [
    'finds a regular expression anywhere in a text',
    "select name ~ '^[a-z]$', name !~ 'a', name || 'x' ~ 'ax|5x' from orders order by id",
    '[[true,false,true],[null,null,null],[false,true,true]]',
  ],
  [
    'makes columns of rows with PIVOT, and names them by their values or by an alias',
    `select * from (select 'a' as k, 5 as v, 1 as g union all select 'B', 7, 1 union all select 'a', 1, 2)
     pivot (sum(v) for k in ('a', 'B' as other)) order by g`,
    '[[1,5,7],[2,1,null]]',
  ],
  [
    'names the columns of PIVOT by its values',
    "select p.a, p.g from (select 'a' as k, 5 as v, 1 as g) pivot (max(v) for k in ('a')) as p",
    '[[5,1]]',
  ],
  [
    'makes rows of columns with UNPIVOT, without the NULLs',
    'select k, v from (select 1 as a, 2 as b, null::int as c) unpivot (v for k in (a, b, c)) order by k',
    '[["a",1],["b",2]]',
  ],
  [
    'reads and writes names of months in the case of the element',
    `select to_date('02 Oct 2001', 'DD Mon YYYY'), to_char(d, 'DD-MON-YYYY'), to_char(d, 'Mon mon'), to_char(d, 'MONTH-Month'),
     to_char(d, '"MON" YY') from (select '2009-12-31'::date as d) t`,
    '[["2001-10-02","31-DEC-2009","Dec dec","DECEMBER -December ","MON 09"]]',
  ],
  [
    'finds the n-th match of a regular expression, or its first group; without a match it is empty',
    `select regexp_substr('a1b2', '[a-z]([0-9])', 1, 2), regexp_substr('a1b2', '[a-z]([0-9])', 2, 1, 'e'),
     regexp_substr('aXb', 'x', 1, 1, 'i'), regexp_substr('abc', 'x'), regexp_substr(null, 'x'), regexp_substr('a', 'a', 1, 3)`,
    '[["b2","2","X","",null,""]]',
  ],
  ['takes any of several booleans', 'select any_value(id > 0), max((id > 1)::int) from orders', '[[true,1]]'],
  [
    'computes with DATE_PART as a DOUBLE, and with EXTRACT as an INTEGER unless it is of a TIMESTAMPTZ',
    `select date_part(day, day) / 2, date_part('month', day) / 2, avg(date_part(day, day)), sum(date_part(month, day)) / 2,
     extract(day from day) / 2, avg(extract(month from day)), extract(day from '2024-01-31 12:00:00+00'::timestamptz) / 2
     from orders where id = 1 group by day`,
    '[[15.5,0.5,31,0.5,15,1,15.5]]',
  ],
  [
    'gives a NUMERIC for SUM and AVG of BIGINT with OVER, and whole numbers otherwise',
    `select sum(id::bigint) over () / 4, avg(id::bigint) over () / 4, sum(id) over () / 4,
     (select sum(id::bigint) / 4 from orders) from orders limit 1`,
    '[["1.5000","0.5000",1,1]]',
  ],
  [
    'computes with a sum of FLOAT',
    'select sum(f) / 2, (select avg(f) * 2 from orders) from orders',
    '[[1.75,3.5]]',
  ],
  ['sums whole numbers', 'select sum(id), count(*) from orders', '[[6,3]]'],
  ['cuts the average of whole numbers', 'select avg(id), avg(-id) from orders where id > 1', '[[2,-2]]'],
])('a query %s', async (_title, sql, expected) => {
  expect(await rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).toBe(expected);
});

test('a given infinite number is shown as the warehouse does', async () => {
  const table = { database: 'db', schema: 's', table: 'given' };
  await warehouse.createTable(table, [{ name: 'f', type: { name: 'FLOAT' } }], [[Infinity], [-Infinity]]);
  await warehouse.refresh();
  const sql = 'select f::varchar from given order by 1';
  expect(await rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).toBe('[["-Infinity"],["Infinity"]]');
});

test.each([
  ['select name + 1 from orders', 'VARCHAR(20) where a number is expected'],
  ['select iff(true, 1, 2)', 'the function IFF'],
  ["select name ~ 'a' || 'b' from orders", 'a pattern of ~ that is not a literal'],
  ["select name ~ '(?i)a' from orders", '(?i in a regular expression'],
  ["select name ~* 'a' from orders", '~*'],
  ['select `id` from orders', 'the character "`"'],
  ["select trim('a' from name) from orders", 'TRIM(… FROM …)'],
  ['select cast(name as varbinary) from orders', 'a cast from text to BINARY'],
  [`select 'grün'::varchar(3)`, 'a cast to VARCHAR(3) that would cut a character in the middle'],
  [`select 'a\\b'`, 'a backslash in a text'],
  ['select last_value(id) over (order by id) from orders', 'LAST_VALUE with ORDER BY and no frame'],
  ['select max(id > 1) from orders', 'MAX of BOOLEAN'],
  ['select min(distinct id > 1) from orders', 'MIN of BOOLEAN'],
  ['select min(id > 1) over (partition by name) from orders', 'MIN of BOOLEAN'],
])('%s is refused', async (sql, construct) => {
  await expect(rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).rejects.toMatchObject({ name: 'Refusal', construct });
});

test.each([
  [
    "select cast(name || 'ü' as varchar(2)) from orders where id = 1",
    /a cast to VARCHAR\(2\) that would cut a character in the middle/,
  ],
  ["select lpad(name, 5, '') from orders where id = 1", /LPAD with an empty text to pad with/],
  ["select rpad('abc', 5, '')", /RPAD with an empty text to pad with/],
  [`select listagg(n, ',') ${LONG}`, /^Result size exceeds LISTAGG limit$/],
  [`select listagg(distinct n) ${LONG}`, /^Result size exceeds LISTAGG limit$/],
  [`select listagg(n) over (partition by 1) ${LONG}`, /^Result size exceeds LISTAGG limit$/],
  [`select regexp_replace(n, 'a', 'bc') ${LONG}`, /longer than 65535/],
  [`select translate(n, 'a', 'ü') ${LONG}`, /longer than 65535/],
  [`select lpad(n, 65000, 'ü') ${LONG}`, /longer than 65535/],
  ["select left('abc', 99999999999)", /does not support the number 99999999999 as an argument of LEFT/],
  ["select substr('abc', 10000000000)", /does not support the number 10000000000 as an argument of SUBSTR/],
  [
    'select dateadd(month, 99999999999, day) from orders',
    /does not support the number 99999999999 as a number/,
  ],
  [
    'select avg(id::bigint) over (partition by id > 1) from orders',
    /AVG of BIGINT with OVER whose result is not whole/,
  ],
  ['select cast(day as varchar(9)) from orders where id = 1', /more characters than VARCHAR\(9\)/],
])('%s is an error when it runs', async (sql, message) => {
  await expect(rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).rejects.toThrow(message);
});

test.each([
  ["'a' = 'a  '", true],
  ["name = 'a '", true],
  ["name || '  ' = name", true],
  ["name || ' ' in ('b', 'a')", true],
  ["name in (select 'a  ')", true],
  ["name between 'a ' and 'a '", true],
  ["case name || ' ' when 'a' then 1 end", 1],
  ["'a ' <> 'a'", false],
  ["nullif('a ', 'a')", null],
  ["' a' = 'a'", false],
  ["'a ' like 'a'", false],
  ["len('a ')", 2],
])('spaces at the end of a text do not count in comparisons, only there: %s', async (written, value) => {
  const sql = `select ${written} as x from orders where id = 1`;
  expect(await rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).toBe(JSON.stringify([[value]]));
});

test.each(['left', 'right'])('%s of a negative number of characters is not documented', async (name) => {
  const failing = (count: string) =>
    rowsOf(`select ${name}('abc', ${count}) as x from orders`, 'WAREHOUSE_TWO', warehouse);
  await expect(failing('-1')).rejects.toMatchObject({ name: 'Refusal' });
  await expect(failing('id - 2')).rejects.toThrow(`${name.toUpperCase()} with a negative number`);
});

test.each([
  [
    "select * from (select 'A' as k, 5 as v) pivot (sum(v) for k in ('A'))",
    'a value of PIVOT that is not a name in lower case and has no alias',
  ],
  [
    "select * from (select 'a' as k, 5 as v) pivot (sum(v) for k in ('a')) unpivot (w for j in (a))",
    'UNPIVOT of PIVOT or UNPIVOT',
  ],
  ["select to_char(current_date, 'mONTH')", 'these arguments of TO_CHAR'],
  ["select to_date('2 October 2001', 'DD Month YYYY')", 'these arguments of TO_DATE'],
])('%s is refused', async (sql, construct) => {
  await expect(rowsOf(sql, 'WAREHOUSE_TWO', warehouse)).rejects.toMatchObject({ name: 'Refusal', construct });
});
