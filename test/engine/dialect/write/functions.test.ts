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

test.each([
  [
    "current_database() || '.' || current_schema() || '.' || current_user || '.' || current_role()",
    'DB.S.MILLRACE.MILLRACE',
  ],
  [
    "regr_slope(y, x) || '/' || regr_intercept(y, x) from (select y, x from (values (3, 1), (5, 2), (7, 3), (null, 4)) t (y, x))",
    '2/1',
  ],
  ['regr_slope(y, x) from (select y, x from (values (3, 1), (5, 1)) t (y, x))', null],
  ['covar_pop(y, x) from (select y, x from (values (3, 1), (5, 3)) t (y, x))', 1],
  ['covar_samp(y, x) from (select y, x from (values (3, 1), (5, 3)) t (y, x))', 2],
  ['covar_samp(y, x) from (select y, x from (values (3, 1)) t (y, x))', null],
  ["max(dateadd(day, seq4(), '2026-01-01'::date)) from table(generator(rowcount => 31))", '2026-01-31'],
  ['sum(n) from (select row_number() over (order by seq8()) as n from table(generator(rowcount => 4)))', 10],
  [
    '"COUNT(*)" + "MAX(N)" + "COUNT(DISTINCT T.N)" from (select count(*), max(n), count(distinct t.n) from (select 5 n) t)',
    7,
  ],
  ["array_to_string(array_construct('a', null, 2), '-')", 'a--2'],
  ['object_construct(*) from (select 1.50 b, null c, \'x\' "a")', { a: 'x', B: 1.5 }],
  ['object_construct(t.* exclude a) from (select 1 a, 2 b) t cross join (select 3 c)', { B: 2 }],
  ["'ab' like any ('b%', '%b') and 'A!' ilike any ('a!!') escape '!'", true],
  ["'ab' like all ('a%', '%c')", false],
  ["not 'ab' like any ('x%', 'y%')", true],
  ["regexp_substr('a1b2', '[a-z]([0-9])', 1, 2) || regexp_substr('a1b2', '[a-z]([0-9])', 2, 1, 'e')", 'b22'],
  ["regexp_substr('aXb', '(x)((a|b))', 1, 1, 'ie', 2) || regexp_substr('ab', 'B', 1, 1, 'ei')", 'bb'],
  ["regexp_substr('ab', 'b', 1, 2)", null],
  ["regexp_substr('ab', 'b', 9)", null],
  ["regexp_replace('abAb', 'a', 'x', 2, 0, 'i') || regexp_replace('abab', 'a', '', 1, 1)", 'abxbbab'],
  ["regexp_replace('ab', 'b', 'x', 9)", 'ab'],
  ["regexp_count('abAb', 'a', 1, 'i') * 10 + regexp_count('abab', 'a', 2)", 21],
  [
    "max(v) from (select listagg(distinct x, '-') within group (order by x desc) over (partition by true) v from (values ('a'), ('b'), ('a')) t (x))",
    'b-a',
  ],
  [
    'any_value(v) from (select array_agg(x) within group (order by x desc) over () v from (values (1), (null), (2)) t (x))',
    [2, 1],
  ],
  [
    "any_value(o) from (select object_agg(k, v::variant) o from (values ('b', 1), ('a\"', 2), (null, 3), ('c', null)) t (k, v))",
    { 'a"': 2, b: 1 },
  ],
  [
    "any_value(v) from (select object_agg('k', 1::variant) over (partition by x) v from (values (1), (2)) t (x))",
    { k: 1 },
  ],
  ["object_agg('k', null::variant)", {}],
  ["array_to_string(parse_json('7'), '-')", null],
  ["to_array('x')", ['x']],
  ["to_array(parse_json('[1]'))", [1]],
  ["array_contains('b'::variant, array_construct('a', 'b'))", true],
  ["array_contains('1'::variant, array_construct(1))", false],
  ["array_append(array_construct(1), 'b')", [1, 'b']],
  ['array_cat(array_construct(1), array_construct(2, null))', [1, 2, null]],
  ['object_keys(parse_json(\'{"b": 1, "a": 2}\'))', ['a', 'b']],
  [
    "typeof(parse_json('[1]')) || typeof(parse_json('1')) || typeof(parse_json('1.5')) || typeof(parse_json('null'))",
    'ARRAYINTEGERDECIMALNULL_VALUE',
  ],
  [
    "to_json(object_construct('d', to_date('69-01-02', 'YY-MM-DD'), 'e', to_date('70-01-02', 'YY-MM-DD')))",
    '{"d":"2069-01-02","e":"1970-01-02"}',
  ],
  ["to_date(d, 'DD/MM/YY') from (select '31/12/69' d)", '2069-12-31'],
  ["try_to_date('x', 'YY-MM-DD')", null],
  ["to_timestamp('68-02-29 10:00', 'YY-MM-DD HH24:MI')", '2068-02-29 10:00:00'],
  ["to_date('1969-07-20', 'YYYY-MM-DD')", '1969-07-20'],
  ["to_char('2069-01-02'::date, 'YY')", '69'],
  [
    "'NaN'::float::varchar || to_varchar('inf'::float) || concat('-inf'::float, '/', 1.5::float)",
    'NaNinf-inf/1.5',
  ],
  ["array_construct('NaN')[0]::float::varchar", 'NaN'],
  ["try_cast('ABCD' as char(2))", null],
  ["'10:20:30.5'::time || '/' || t::varchar from (select '23:59:59.999999'::time t)", '10:20:30/23:59:59'],
  ["try_cast(x as varchar(2)) || 'ABCD'::varchar(2) from (select 'YZ' x)", 'YZAB'],
  [
    "1e300::float::varchar || '/' || 1e-10::float::varchar || '/' || 123456::float::varchar",
    '1e+300/1e-10/123456',
  ],
  ["ascii('é') || '/' || ascii('')", '233/0'],
  ['chr(65)', 'A'],
  ["initcap('the qUICK-brown fox2go')", 'The Quick-Brown Fox2go'],
  ["initcap('don''t stop=now `x')", "Don't Stop=now `x"],
  [
    "initcap('a!b?c@d\"e^f#g$h&i~j_k,l.m:n;o+p-q*r%s/t|u\\\\v[w]x(y)z{a}b<c>d\te')",
    'A!B?C@D"E^F#G$H&I~J_K,L.M:N;O+P-Q*R%S/T|U\\V[W]X(Y)Z{A}B<C>D\tE',
  ],
  ["initcap('Éa élan ÜBER')", 'Éa Élan Über'],
  ["left('abc', -1) || left('abc', 2) || right('abc', 0) || right('abc', 2)", 'abbc'],
  ["substr('abc', 2, -1) || substr('abc', 2, 1)", 'b'],
  ["substr('abc', -5, 3) || substr('abc', -4) || substr('abc', 9)", ''],
  ["substr('abc', -3, 2) || substr('abc', -1) || substr('abc', 0, 1)", 'abca'],
  ["substr('abc', n) || substr('abc', n, 9) from (select -4 n)", ''],
  ["lpad('a', -1, 'x') || lpad('a', 3, 'xy') || rpad('abc', 2, 'x')", 'xyaab'],
  ["split_part('a.b', '', 1) || split_part('a.b', '', -1) || split_part('a.b', '', 2)", 'a.ba.b'],
  ["split_part('a.b', '.', 0) || split_part('a.b', '.', -1) || split_part('a.b', '.', 3)", 'ab'],
  ["position(lower('B') || 'c' in 'abc')", 2],
  ['zeroifnull(null)', 0],
  ["split('a,b', ',')", ['a', 'b']],
  ["repeat('ab', 3)", 'ababab'],
  ["length(s || upper(s) || s || 1) from (select repeat('x', 5000) s)", 15001],
  ["length((select repeat('x', 5000)) || 'a' || (select 'b' || repeat('x', 5000)))", 10002],
  ["s || null || upper(s) from (select repeat('x', 5000) s)", null],
  ["translate('abc', 'ab', 'x')", 'xc'],
  ["trunc('2026-07-19'::date, 'mm')", '2026-07-01'],
  ["typeof(parse_json('12345678901234567890123'))", 'INTEGER'],
  ["typeof(parse_json('1e100'))", 'DOUBLE'],
  // An accent of its own is a character of its own.
  ["reverse('e\u0301x' || chr(10))", '\nx\u0301e'],
  ["reverse('')", ''],
  ['reverse(null)', null],
  // A text of digits is a time since the epoch, in a unit that its size tells.
  ["'0'::date", '1970-01-01'],
  ["'20240131'::date", '1970-08-23'],
  ["'1700000000'::timestamp", '2023-11-14 22:13:20'],
  ["'1700000000123'::timestamp", '2023-11-14 22:13:20.123'],
  ["'1700000000123456'::timestamp", '2023-11-14 22:13:20.123456'],
  ["truncate('2026-07-19 10:11:12'::timestamp, 'HOUR')", '2026-07-19 10:00:00'],
  ["try_to_number('1,234,567', '999,999,999')", 1234567],
  ["try_to_number('12', '999,999,999')", 12],
  ["try_to_number('12', '999')", 12],
  ["try_to_number('[c]', '999,999,999')", null],
  ["try_to_number('', '999')", null],
  ["to_number('1,234', '9,999')", 1234],
  ["to_number('1,234.50', '9,999.99', 10, 2) || '/' || to_decimal('12', '99', 5, 1)", '1234.50/12.0'],
  ["try_to_number('[c]', '99.9', 5, 1)", null],
  [
    "max(v) from (select f.value::int v from table(flatten(input => parse_json('[1, 2]'), recursive => false)) f)",
    2,
  ],
  [
    "convert_timezone('UTC', '2024-06-01 12:00:00 +0530'::timestamp_tz)::varchar",
    '2024-06-01 06:30:00.000 +0000',
  ],
  [
    "convert_timezone('UTC', x::timestamp_tz)::varchar from (select '2024-06-01 12:00:00 -0800' x)",
    '2024-06-01 20:00:00.000 +0000',
  ],
  ["x::timestamp from (select '2024-06-01 12:00:00 +0530' x)", '2024-06-01 12:00:00'],
  ["'2024-06-01 12:00:00 -0800'::timestamp", '2024-06-01 12:00:00'],
  ["x::date from (select '2024-06-01 12:00:00 -0800' x)", '2024-06-01'],
  ["x::timestamp_tz::varchar::timestamp_tz = x from (select '2024-06-01 12:00:00Z'::timestamp_tz x)", true],
  ["date_part(mm, '2026-03-05'::date) || date_part('d', '2026-03-05'::date)", '35'],
  ["extract(dow from '2026-03-08'::date) || date_part(dow_iso, '2026-03-08'::date)", '07'],
  ["date_part(woy, '2027-01-01'::date) || '/' || date_part(yearofweekiso, '2027-01-01'::date)", '53/2026'],
  ["extract(epoch from '1969-12-31 23:59:58.5'::timestamp)", -2],
  ["extract(secs from '2026-03-05 01:02:03.9'::timestamp)", 3],
  ["coalesce(s, 0) from (select '12.345678' s)", '12.34568'],
  ['nvl(s, 7) from (select null::varchar s)', '7.00000'],
  ["rlike('abc', 'a.*')", true],
  ['ceiling(1.2)', 2],
  ['round(log(10, 1000), 6)', 3],
  ["months_between('2026-03-31', '2026-02-28')", 1],
  ["months_between('2026-03-15', '2026-02-28')", 0.580645],
  ['date_from_parts(2026, 13, 0)', '2026-12-31'],
  // More characters than a text can have mean the whole text.
  ["left('abc', 99999999999) || right('abc', 99999999999999999999) || left('abc', -99999999999)", 'abcabc'],
  [
    "substr('abc', 2, 99999999999) || substr('abc', 99999999999) || substr('abc', -99999999999999999999)",
    'bc',
  ],
  ["length(repeat('', 99999999999))", 0],
  ['array_construct(1, 2)[99999999999]', null],
  ['sum(y) over (order by y rows 99999999999 preceding) from (select 1 as y)', 1],
  ["convert_timezone('UTC', 'Europe/Berlin', '2026-07-01 10:00:00'::timestamp)", '2026-07-01 12:00:00'],
])('%s', async (expression, value) => {
  expect(JSON.parse(await rowsOf(`select ${expression} as x`, 'WAREHOUSE_ONE', warehouse))).toEqual([
    [value],
  ]);
});

test('RANDOM gives other numbers in each row, and the same ones in each run', async () => {
  const sql = 'select id, random()::varchar as r from orders order by id';
  const first = await rowsOf(sql, 'WAREHOUSE_ONE', warehouse);
  expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe(first);
  const numbers = (JSON.parse(first) as [number, string][]).map(([, number]) => number);
  expect(new Set(numbers).size).toBe(3);
});

test('UUID_STRING gives another text in each row, and the same ones in each run', async () => {
  const sql = 'select id, uuid_string() as u from orders order by id';
  const first = await rowsOf(sql, 'WAREHOUSE_ONE', warehouse);
  expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe(first);
  const texts = (JSON.parse(first) as [number, string][]).map(([, text]) => text);
  expect(new Set(texts).size).toBe(3);
  for (const text of texts)
    expect(text).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
});

test('COUNT_IF of NULLs only, and of no rows, is 0', async () => {
  const sql =
    'with t as (select null::boolean n) select (select count_if(n) from t), (select count_if(n) from t where false)';
  expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe('[[0,0]]');
});

test('MEDIAN and MODE of rows', async () => {
  const sql =
    'select median(a), median(f), mode(a) from (select 1 a, 1::float f union all select 2, 2 union all select 2, 4 union all select 4, 9)';
  expect(await rowsOf(sql, 'WAREHOUSE_ONE', warehouse)).toBe('[["2.000",3,2]]');
});
