import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf } from './orders.ts';

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openOrders('WAREHOUSE_ONE');
});
afterAll(async () => {
  await warehouse[Symbol.asyncDispose]();
});

/** What a query means, and the rows that it returns. */
const queries: readonly (readonly [string, string, string])[] = [
  [
    'keeps rows without items where FLATTEN is outer',
    `select id, f.index, f.value from orders, lateral flatten(input => doc:a.k, outer => true) f order by 1, 2`,
    '[[1,0,1],[1,1,2],[2,null,null],[3,null,null]]',
  ],
  [
    'groups by ROLLUP, CUBE and GROUPING SETS',
    `select 'r' as what, a, b, sum(n) as total, grouping(a) as g from (values ('x', 'p', 1), ('x', 'q', 2), ('y', 'p', 4)) v (a, b, n) group by rollup (a, b)
     union all select 'c', a, b, sum(n), 0 from (values ('x', 'p', 1), ('x', 'q', 2)) v (a, b, n) group by cube (a, b)
     union all select 's', a, b, sum(n), 0 from (values ('x', 'p', 1), ('x', 'q', 2)) v (a, b, n) group by grouping sets ((a, b), b, ())
     order by 1, 2, 3`,
    '[["c","x","p",1,0],["c","x","q",2,0],["c","x",null,3,0],["c",null,"p",1,0],["c",null,"q",2,0],["c",null,null,3,0],["r","x","p",1,0],["r","x","q",2,0],["r","x",null,3,0],["r","y","p",4,0],["r","y",null,4,0],["r",null,null,7,1],["s","x","p",1,0],["s","x","q",2,0],["s",null,"p",1,0],["s",null,"q",2,0],["s",null,null,3,0]]',
  ],
  [
    'compares a truth value with 0 and 1, and takes a text for one',
    `select a = 1, 0 = a, a <> 1 from (select 'true' as t, true as a) where t`,
    '[[true,false,false]]',
  ],
  [
    'flattens objects only, or arrays only, as MODE says',
    `select id, f.key from orders, lateral flatten(input => doc, mode => 'object') f, lateral flatten(input => doc, mode => 'ARRAY', outer => true) g where g.value is null order by 1, 2`,
    '[[1,"a"],[2,"a"]]',
  ],
  [
    'makes rows of columns with UNPIVOT, without the NULLs',
    `select * from (select 1 as id, 2::int as q1, null::int as q2, 4::int as q3) unpivot (sales for quarter in (q1, q2, q3)) order by 2`,
    '[[1,"Q1",2],[1,"Q3",4]]',
  ],
  [
    'keeps NULLs with UNPIVOT INCLUDE NULLS',
    `select u.n, u.v from (select 2::int as q1, null::int as q2) unpivot include nulls (v for n in (q1, q2)) as u order by 1`,
    '[["Q1",2],["Q2",null]]',
  ],
  [
    'makes columns of rows with PIVOT, and names them by their values or by an alias',
    `select "'a'", two from (select 'x' k, 'a' n, 1 v union all select 'x', 'a', 2 union all select 'x', 'b', 5) pivot (sum(v) for n in ('a', 'b' as two))`,
    '[[3,5]]',
  ],
  [
    'groups a PIVOT by the other columns, and names all columns by its alias',
    `select key_, a from (select 'x' k, 'a' n, 1 v union all select 'y', 'b', 5) pivot (max(v) for n in ('a')) as p (key_, a) order by 1`,
    '[["x",1],["y",null]]',
  ],
  [
    'flattens a member that PATH names',
    `select id, f.value from orders, lateral flatten(doc, path => 'a.k') f order by f.index`,
    '[[1,1],[1,2]]',
  ],
  [
    'counts the boundaries of units',
    `select datediff(week, '2024-01-07', '2024-01-08'), datediff(week, '2024-01-08', '2024-01-14'), datediff(week, '2024-01-08', '2024-01-07'), datediff(hour, '2024-01-07 00:59:59', '2024-01-07 01:00:00'), datediff(year, '2023-12-31', '2024-01-01'), datediff(quarter, '2024-03-31', '2024-04-01'), datediff(second, '2024-01-01 00:00:00.9', '2024-01-01 00:00:01')`,
    '[[1,0,-1,1,1,1,1]]',
  ],
  [
    'divides exactly',
    'select amount/3, 7/2, 2/3, -7/2 from orders where id = 1',
    '[["3.50000000","3.500000","0.666667","-3.500000"]]',
  ],
  [
    'reads text as a number',
    `select '12'+1, name||id, id = '1' from orders where id in (1,3) order by id`,
    '[[13,"a1",true],[13,"53",false]]',
  ],
  ['keeps large products', 'select 86400*1000*1000*365', '[[31536000000000]]'],
  [
    'rounds half away from zero',
    'select cast(2.5::float as int), 2.5::int, round(2.345, 2), round(-2.5)',
    '[[3,3,"2.35",-3]]',
  ],
  ['writes numbers as text', 'select 1.50::varchar, 1::float::varchar', '[["1.50","1"]]'],
  [
    'reads paths without quotes',
    'select doc:a.b::string, doc:a.n is null, doc:a.n::string is null, doc:a.k[1]::number from orders where id = 1',
    '[["x",false,true,2]]',
  ],
  [
    'compares paths by the other side',
    `select doc:a.b = 'x', doc:a.k[0] > 0, doc['a']['b']::varchar, get(doc, 'a'):b::string from orders where id = 1`,
    '[[true,true,"x","x"]]',
  ],
  [
    'flattens an array',
    'select o.id, f.index, f.value::int from orders o, lateral flatten(input => o.doc:a.k) f order by 2',
    '[[1,0,1],[1,1,2]]',
  ],
  [
    'shows the path of an item and what it is in',
    `select f.path, f.this from orders o, lateral flatten(o.doc, path => 'a.k') f where f.index = 1 union all select f.path, f.this:a.k from orders o, lateral flatten(o.doc) f where o.id = 1`,
    '[["a.k[1]",[1,2]],["a",[1,2]]]',
  ],
  [
    'splits texts into rows, NULL into none',
    `select o.id, s.index, s.value from orders o, lateral split_to_table(o.name || '.b.', '.') s where s.index < 4 order by 1, 2`,
    '[[1,1,"a"],[1,2,"b"],[1,3,""],[3,1,"5"],[3,2,"b"],[3,3,""]]',
  ],
  [
    'flattens nested values',
    'select g.key from orders o, lateral flatten(input => o.doc) f, table(flatten(f.value)) g order by 1',
    '[["b"],["k"],["n"]]',
  ],
  [
    'prefers a common table over a table',
    'with orders as (select * from orders where id < 3) select count(*), sum(amount), avg(id) from orders',
    '[[2,"13.50","1.500000"]]',
  ],
  [
    'filters by a window',
    'select name, row_number() over (order by id desc) rn from orders qualify rn = 1',
    '[["5",1]]',
  ],
  [
    'sees the whole partition in LAST_VALUE',
    'select last_value(id) over (order by id), first_value(name) ignore nulls over (order by id desc) from orders order by id',
    '[[3,"5"],[3,"5"],[3,"5"]]',
  ],
  [
    'moves windows row by row',
    'select lag(id, 1, 0) over (order by id), sum(id) over (order by id rows between 1 preceding and current row) from orders order by id',
    '[[0,1],[1,3],[2,5]]',
  ],
  [
    'adds to dates',
    `select dateadd(month, 1, day), datediff('day', day, '2024-03-01'), date_trunc(month, day), day + interval '1 day, 2 hours' from orders where id = 1`,
    '[["2024-02-29",30,"2024-01-01","2024-02-01 02:00:00"]]',
  ],
  ['keeps the last day of a month', 'select add_months(day, 1) from orders where id = 2', '[["2024-03-31"]]'],
  [
    'subtracts dates',
    `select day - 1, day - '2024-01-01'::date, dayname(day), extract(month from day) from orders where id = 1`,
    '[["2024-01-30",30,"Wed",1]]',
  ],
  [
    'formats dates',
    `select to_char(day, 'YYYY-MM-DD'), to_date('20240131', 'YYYYMMDD') from orders where id = 1`,
    '[["2024-01-31","2024-01-31"]]',
  ],
  [
    'takes the time from the clock',
    `select current_timestamp(), current_date, to_varchar(current_timestamp, 'YYYYMMDD HH24:MI:SS')`,
    '[["2024-05-05 06:07:08+00:00","2024-05-05","20240505 06:07:08"]]',
  ],
  [
    'orders LISTAGG, and leaves NULLs out of ARRAY_AGG',
    `select listagg(name, ',') within group (order by id desc), array_agg(name) within group (order by id) from orders`,
    '[["5,a",["a","5"]]]',
  ],
  [
    'leaves NULLs out of objects',
    `select object_construct('b', max(id), 'a', null, 'c', 'x"y') from orders`,
    '[[{"b":3,"c":"x\\"y"}]]',
  ],
  [
    'gives both sides of a UNION one type',
    'select id from orders union all select amount from orders order by 1 desc nulls last limit 2',
    '[["10.50"],["3.00"]]',
  ],
  ['sorts NULL as the largest value', 'select name from orders order by name desc', '[[null],["a"],["5"]]'],
  [
    'treats NULL as the warehouse does',
    `select concat('a', null), greatest(1, null), nvl(name, 'q'), decode(name, null, 'none', 'other') from orders where id = 2`,
    '[[null,null,"q","none"]]',
  ],
  [
    'gives functions many arguments',
    `select coalesce(${'null, '.repeat(120)}7), greatest(${'1, '.repeat(120)}2), length(concat(${"'a', ".repeat(120)}'b')), array_size(array_construct(${'1, '.repeat(510)}2))`,
    '[[7,2,121,511]]',
  ],
  [
    'excludes columns, and joins by USING',
    'select * exclude (doc, f, day) from orders o join (select id, name n2 from orders) p using (id) where id = 1',
    '[[1,"a","10.50","a"]]',
  ],
  [
    'correlates subqueries',
    'select (select max(p.id) from orders p where p.id < o.id), exists (select 1 from orders z where z.id = o.id + 1) from orders o order by o.id',
    '[[null,true],[1,true],[2,false]]',
  ],
  ['reads sources of the component', 'select id a, a + 1 b from $T{Read orders (1)} where b > 3', '[[3,4]]'],
  [
    'groups by an alias',
    'select year(day) y, count(*) c from orders group by y having c > 0 order by c desc',
    '[[2024,2],[null,1]]',
  ],
  [
    'counts rows of a recursive query',
    'with recursive n (i) as (select 1 union all select i + 1 from n where i < 4) select sum(i) from n',
    '[[10]]',
  ],
  ['reads rows of VALUES', `select t.y from (values (1, 'a'), (2, 'b')) as t(x, y) where x > 1`, '[["b"]]'],
  [
    'reads rows of VALUES without parentheses',
    `select column2 from values (1, 'a'), (2, 'b') where column1 > 1`,
    '[["b"]]',
  ],
  [
    'names the columns of VALUES',
    `select t.y from values (1, 'a'), (2, 'b') as t(x, y) where x > 1`,
    '[["b"]]',
  ],
  [
    'replaces all matches',
    `select regexp_replace('aXbX', 'X', '-'), split_part('a,b', ',', 0), substr('hello', 0, 2), regexp_like('ab', 'a')`,
    '[["a-b-","a","he",false]]',
  ],
  ['divides by zero on demand only', 'select div0(1, 0), mod(7, 3), zeroifnull(null)', '[["0.000000",1,0]]'],
  ['reads escapes in texts', `select 'it''s', 'it\\'s', $$a'b$$`, `[["it's","it's","a'b"]]`],
  ['takes the first rows', 'select top 1 id from DB.S."ORDERS" order by id desc', '[[3]]'],
  [
    'keeps the meaning of a comma before a right join',
    'select count(*) from (select 1 a where 1 = 0) x, orders o right join (select 9 id) p on o.id = p.id',
    '[[0]]',
  ],
  [
    'joins tables in parentheses',
    'select count(*), count(p.id) from orders o left join (orders p join orders q on p.id = q.id + 1) on o.id = p.id',
    '[[3,2]]',
  ],
  [
    'compares NULLs',
    "select name is distinct from null, equal_null(name, null), name not in ('a', null) from orders order by id",
    '[[true,false,false],[false,true,null],[true,false,null]]',
  ],
];

test.each([
  ['limit 99999999999', 3],
  ['order by id limit 99999999999999999999', 3],
  ['order by id limit 2 offset 99999999999', 0],
  ['offset 1 rows fetch first 99999999999 rows only', 2],
])('%s may have more rows than there are', async (limit, count) => {
  const sql = `select count(*) from (select id from orders ${limit})`;
  expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe(JSON.stringify([[count]]));
});

test.each(queries)('a query %s', async (_title, sql, expected) => {
  expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe(expected);
});

test.each([
  ['select 1/(id-1) from orders', 'Division by zero'],
  ['select id % (id-1) from orders', 'Division by zero'],
  [`select name::number from orders`, "the text 'a' is not a number"],
  [`select try_cast(x as date) from (select '01/31/2024' || left(name, 0) x from orders)`, 'give a format'],
  ['select dateadd(day, 2147483648, day) from orders', '2147483648 as a number of days; at most 105850000'],
  ['select day + 99999999999 from orders', '99999999999 as a number of days'],
  ['select dateadd(second, id * 99999999999999, day) from orders', 'as a number of seconds'],
  ['select add_months(day, 99999999999) from orders', 'as a number of months'],
  ['select date_from_parts(2024, 1, 99999999999)', 'an argument of DATE_FROM_PARTS'],
  ['select to_timestamp(99999999999999999999)', 'an argument of TO_TIMESTAMP'],
  ['select chr(99999999999)', 'CHR of a number that is not from 1'],
])('%s fails when it runs', async (sql, message) => {
  await expect(rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).rejects.toThrow(message);
});
