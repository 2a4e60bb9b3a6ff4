import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WarehouseKind } from '../../../../engine/core/sql-type.ts';
import type { Warehouse } from '../../../../engine/duckdb/connection/warehouse.ts';
import { openOrders, rowsOf, runScript } from './orders.ts';

/** What an expression gives, by the documentation of the warehouse: a value, or what its refusal or error says. */
type Row = readonly [expression: string, outcome: unknown];

/** The text in an error. */
const says = (text: string): RegExp => new RegExp(RegExp.escape(text));

const noNumber = /VARCHAR(?:\(\d+\))? where a number is expected; /;
const notWhole = /a number with a fraction where a whole number is expected; use ROUND/;
const infinite = /does not support a calculation with FLOAT whose result is infinite or NaN/;
const tooLong = /does not support the FLOAT .* as an exact number: it would have more than 15 digits/;
const shorterFirst =
  /a regular expression with a shorter alternative first; write the longer alternative first/;
const undocumented = (part: string) =>
  says(`does not support ${part} in a regular expression; the warehouse documents`);
const emptyMatch =
  /a regular expression that may match an empty text in REGEXP_REPLACE; use a regular expression that matches at least one character, such as a\+ instead of a\*/;
const floatInJson = /the text or type of semi-structured data that may contain a FLOAT/;
const halfway = /does not support rounding the FLOAT/;
const longText = /does not support the text of the FLOAT/;
const ofBlank = (what: string) => new RegExp(`${what} of a text that ends with a space; apply RTRIM to it`);
const unsureFormat = /the date format '|these arguments of TO_/;

const long = (result: string) => new RegExp(`overflow: the result of ${result} has more than 38 digits`);
const tooManyDigits = /does not support the number [\d.]+; an exact number can have at most 38 digits/;
/** The largest number of 38 digits. */
const NINES = '9'.repeat(38);
/** A query of so many of them; of 3 and more, DuckDB's own sum may have any digits. */
const nines = (count: number, more = '') =>
  `(${Array.from({ length: count }, () => `select ${NINES} x, 1 n`).join(' union all ')}${more}) t`;

const TWO: readonly Row[] = [
  // Cut, not rounded.
  ['trunc(2.789, 2)', '2.78'],
  ['trunc(-2.789, 1)', '-2.7'],
  ['trunc(-1289.5, -2)', -1200],
  ['trunc(0.999, 2)', '0.99'],
  ['trunc(null::decimal(5,3), 1)', null],
  // A number has 38 digits at most.
  ...[2, 3, 4, 7, 20].map((count): Row => [`sum(x) from ${nines(count)}`, long('SUM')]),
  [`sum(-x) from ${nines(3)}`, long('SUM')],
  [`avg(x) from ${nines(2)}`, long('the sum in AVG')],
  [`sum(distinct x) from ${nines(2, ` union all select ${NINES} - 1, 1`)}`, long('SUM')],
  [`sum(distinct x)::varchar from ${nines(2)}`, NINES],
  [`sum(x)::varchar from ${nines(2, ` union all select -${NINES}, 1`)}`, NINES],
  [`sum(x) from ${nines(1, ' union all select 1, 1')}`, long('SUM')],
  [`sum(x) over (partition by n) from ${nines(2)}`, long('SUM')],
  [`sum(x) from (select ${'9'.repeat(30)}.${'9'.repeat(8)} x union all select 0.00000001) t`, long('SUM')],
  [
    `sum(x)::varchar from (select ${'9'.repeat(30)}.${'9'.repeat(8)} x union all select -0.00000001) t`,
    `${'9'.repeat(30)}.${'9'.repeat(7)}8`,
  ],
  [`round(${NINES}, -1)`, long('ROUND')],
  [`round(x, -1) from ${nines(1)}`, long('ROUND')],
  [`round(-x, -37) from ${nines(1)}`, long('ROUND')],
  [`round(x, -38) from ${nines(1)}`, /these arguments of ROUND/],
  [`round(x - 9, -1)::varchar from ${nines(1)}`, `${'9'.repeat(37)}0`],
  [`trunc(x, -1)::varchar from ${nines(1)}`, `${'9'.repeat(37)}0`],
  ['round(9995::decimal(4,0), -4)', 10_000],
  ['round(95.5::decimal(3,1), -2)', 100],
  ['1.23456789012345678901234567890123456789', tooManyDigits],
  ['12345678901234567890.12345678901234567890', tooManyDigits],
  [`1${NINES}`, tooManyDigits],
  [`0.${'0'.repeat(37)}1`, tooManyDigits],
  [`0.${'0'.repeat(36)}1::varchar`, `0.${'0'.repeat(36)}1`],
  [`00${NINES}::varchar`, NINES],
  ['round(32767::smallint, -1)', 32_770],
  ['round(9223372036854775807, -1)::varchar', '9223372036854775810'],
  // No text becomes a number in arithmetic, aggregates and most functions.
  ["'1' + '2'", noNumber],
  ["id + '1' from orders", noNumber],
  ["amount + '1.5' from orders", noNumber],
  ["f * '2' from orders", noNumber],
  ['name + 1 from orders', noNumber],
  ["7.0 / '2'", noNumber],
  ["-'5'", noNumber],
  ["+'5'", noNumber],
  ['sum(x) / 2 from (select 3::bigint x) t', 1],
  ['sum(x) from (select 9223372036854775807 x union all select 1) t', /is out of range of BIGINT/],
  ["sum('5')", noNumber],
  ['avg(name) from orders', noNumber],
  ["stddev('4')", noNumber],
  ['variance(x) from (select 1 x union all select 2 union all select 4) t', 2.3333333333333335],
  ['variance(distinct x) from (select 1 x union all select 1 union all select 3) t', 2],
  ["round('1.5')", noNumber],
  ["trunc('1.5')", noNumber],
  ["abs('-1')", noNumber],
  ["ceil('1.5')", noNumber],
  ["sign('1')", noNumber],
  ["mod(7, '2')", noNumber],
  ["mod(id, '2.5') from orders", noNumber],
  ["left('abc', '2')", noNumber],
  ["repeat('a', '2')", noNumber],
  ["lpad('a', '3')", noNumber],
  ["chr('65')", noNumber],
  ["dateadd(month, '1', '2024-01-01'::date)", noNumber],
  // Functions of floating-point numbers convert a literal.
  ["sqrt('16')", 4],
  ["power('2', 3)", 8],
  ["sqrt('0x10')", /the text '0x10' is not a number/],
  ['sqrt(name) from orders', noNumber],
  ['dateadd(day, 1.5, day) from orders', notWhole],
  ['dateadd(day, f, day) from orders', notWhole],
  ['dateadd(day, 2.0, day) from orders where id = 1', '2024-02-02 00:00:00'],
  // Only DECIMAL is compared as a number; of others it is not certain whether numbers or texts are compared.
  ["id = '1' from orders where id = 1", true],
  ["id in ('1', '2') from orders where id = 1", true],
  ["id = '01' from orders", /the text '01' together with a number/],
  ["id > '5' from orders", /the comparison INTEGER > text/],
  ["id between '1' and '2' from orders", /the comparison INTEGER >= text/],
  ["f = '2.5' from orders", /the comparison FLOAT = text/],
  ["amount > '5' from orders where id = 1", true],
  ["amount = '10.5' from orders where id = 1", true],
  ["amount = '10.505' from orders", /the text '10.505' together with a number/],
  // Years count from the same day: the 29th of February becomes the 1st of March.
  ["dateadd(year, 1, '2016-02-29'::date)", '2017-03-01 00:00:00'],
  ["dateadd(year, -1, '2016-02-29 10:00:00'::timestamp)", '2015-03-01 10:00:00'],
  ["dateadd(year, 4, '2016-02-29'::date)", '2020-02-29 00:00:00'],
  ["dateadd(month, 12, '2016-02-29'::date)", '2017-02-28 00:00:00'],
  ["dateadd(mm, 1, '2016-02-29'::date)", /these arguments of DATEADD/],
  ["datediff(yyyy, '2016-02-29'::date, '2017-02-28'::date)", /these arguments of DATEDIFF/],
  // Texts of truth values.
  ["'t'::boolean and 'TRUE'::boolean and 'Yes'::boolean and 'y'::boolean and '1'::boolean", true],
  ["x::boolean from (select 'No' x) t", false],
  ["'tr'::boolean", /the boolean text 'tr'; write true or false/],
  ["'ON'::boolean", /the boolean text 'ON'; write true or false/],
  ["x::boolean from (select 'off' x) t", /the boolean text 'off'; write true or false/],
  ["x::boolean from (select 'fals' x) t", /the boolean text 'fals'; write true or false/],
  ["' true'::boolean", /the boolean text ' true'; write true or false/],
  ["'2'::boolean", /the text '2' is not a boolean/],
  ["x::boolean from (select 'maybe' x) t", /the text 'maybe' is not a boolean/],
  // A DECIMAL of a table is not rounded by a cast; a literal is.
  ['109.652::decimal(4,1)', '109.7'],
  [
    'amount::int from orders where id = 1',
    /does not support a cast of the DECIMAL 10.50 to a type with fewer/,
  ],
  ['round(amount)::int from orders where id = 1', 11],
  ['(amount / 11)::decimal(10,1) from orders where id = 1', '0.9'],
  ['(-amount / 11)::decimal(10,1) from orders where id = 1', '-0.9'],
  ['(amount + 0.40)::decimal(10,1) from orders where id = 1', '10.9'],
  ['(avg(amount) - 0.01)::decimal(10,1) from orders', '6.7'],
  ['cast(x as decimal(10,1)) from (select amount - 0.01 x from orders where id = 1) t', '10.4'],
  ['(2.25 + 0.04)::decimal(10,1)', /does not support a cast of the DECIMAL 2.29 to a type with fewer/],
  [
    'x::decimal(2,1) from (select 2.29 x) t',
    /does not support a cast of the DECIMAL 2.29 to a type with fewer/,
  ],
  // A date with a time of day becomes a date.
  ["'2008-02-18 02:36:48'::date", '2008-02-18'],
  ["x::date from (select '2008-02-18 02:36:48.5' x) t", '2008-02-18'],
  ["'2008-02-18T02:36:48'::date", /does not support the date text/],
  ["'2008-02-18 25:36:48'::date", /does not support the date text/],
  // A position before the first character counts, too.
  ["substring('caterpillar', 6, 4)", 'pill'],
  ["substring('caterpillar', 6, 8)", 'pillar'],
  ["substring('caterpillar', -2, 6)", 'cat'],
  ["substring('caterpillar', -5, 4)", ''],
  ["substring('caterpillar', 0, 3)", 'ca'],
  ["substring('caterpillar', -2)", 'caterpillar'],
  ["substring('caterpillar', 12)", ''],
  ["substring(x, position('-' in x) + 1) from (select 'ab-cd' x) t", 'cd'],
  ["substring(x, 1, position('-' in x) - 1) from (select 'ab-cd' x) t", 'ab'],
  ["substring(x, n, c) from (select 'abc' x, null::int n, 2 c) t", null],
  ["substring(x, n, c) from (select 'abc' x, 0 n, null::int c) t", null],
  ["substring(x, n, c) from (select 'ä😀c' x, -1 n, 4 c) t", 'ä😀'],
  ["substring('abc', 1, -1)", /these arguments of SUBSTRING/],
  ["substring(x, 1, position('-' in x) - 1) from (select 'ab' x) t", /SUBSTRING with a negative number/],
  // Texts that differ in the blanks at their ends are equal.
  ["count(distinct x) from (select 'a' x union all select 'a ' union all select ' a') t", 2],
  ["count(*) from (select x from (select 'a' x union all select 'a ') t group by x) u", ofBlank('GROUP BY')],
  ["count(*) from (select x y from (select 'a ' x) t group by 1) u", ofBlank('GROUP BY')],
  [
    "count(*) from (select 1 from (select 'a ' x) t group by upper(x) having count(*) > 5) u",
    ofBlank('GROUP BY'),
  ],
  ["count(*) from (select x from (select 'a' x union all select 'a ') t where len(x) = 1 group by x) u", 1],
  ["count(*) from (select distinct x from (select 'a' x union all select 'a ') t) u", ofBlank('DISTINCT')],
  ["count(*) from (select 'a' x union select 'a ') u", ofBlank('UNION')],
  ["count(*) from (select 'a' x except select 'a ') u", ofBlank('EXCEPT')],
  ["count(*) from (select 'a' x intersect select 'a ') u", ofBlank('INTERSECT')],
  ["count(*) from (select 'a' x union all select 'a ') u", 2],
  [
    "max(n) from (select row_number() over (partition by x order by x) n from (select 'a' x union all select 'a ') t) u",
    2,
  ],
  ["max(n) from (select rank() over (order by x) n from (select 'a' x union all select 'a ') t) u", 1],
  ['amount::int from orders where id = 2', 3],
  ['amount::decimal(10,1) from orders where id = 1', '10.5'],
  // Texts.
  ["'É' ilike 'é'", false],
  ["'ABC' ilike 'a%'", true],
  ["'a' like x from (select 'a\u005c' || '%' x) t", /a backslash in a text|a backslash in the pattern/],
  ["listagg(x, ',') from (select 'a' x union all select '' union all select null) t", 'a'],
  [
    "listagg(distinct x, ',') from (select 'a' x union all select 'a ') t",
    /DISTINCT of a text that ends with a space/,
  ],
  ["greatest('a', 'a ')", ofBlank('GREATEST')],
  ["least('a ', 'b', null)", ofBlank('LEAST')],
  ["greatest('b', 'a')", 'b'],
  ['chr(233)', /does not support CHR of a number/],
  ['chr(0)', /does not support CHR of a number/],
  ["repeat('a', -1)", /does not support REPEAT with a negative number/],
  ['sign(-2.5) / 2', '-0.50000000000'],
  ["to_char('2024-01-05 14:05:06'::timestamp, 'HH12:MI am')", unsureFormat],
  ["to_date('20010631', 'YYYYMMDD')", /does not support the date text '20010631'/],
  ["regexp_replace('abcd', 'ab|abc', 'x')", shorterFirst],
  ["regexp_replace('a.org', '(org|gov|com)$')", 'a.'],
  ["regexp_replace('abc', '(b)', '<$1>')", /\$ in the replacement of REGEXP_REPLACE/],
  ["regexp_replace('abc', '(b)', $$<\\1>$$)", /a backslash in the replacement of REGEXP_REPLACE/],
  ["regexp_replace('abc', 'b', x) from (select 'y' x) t", /these arguments of REGEXP_REPLACE/],
  ["regexp_replace('abc', 'b*', 'x')", emptyMatch],
  ["regexp_replace('<a><b>', '<.+?>', '')", undocumented('+?')],
  ["regexp_replace('ab', '(?i)A', 'x')", undocumented('(?i')],
  ["regexp_replace('ab', '(?:a)', 'x')", undocumented('(?:')],
  ["regexp_replace('a b', '[[:<:]]', 'x')", undocumented('[:')],
  ["regexp_replace('a b', $$\\b$$, 'x')", undocumented('\\b')],
  ["regexp_replace('a b', $$[\\s]$$, 'x')", undocumented('a backslash in brackets')],
  ["regexp_replace('a1.2', $$\\d\\.$$, '-')", 'a-2'],
  ['1e308::float * 10', infinite],
  ['power(10, 400)', infinite],
  ['round(f) from orders where id = 1', halfway],
  ['f::int from orders where id = 1', halfway],
  ['2.4::float::int', 2],
  ['1.005::float::decimal(10,2)', halfway],
  ['(0.1::float + 0.2::float)::varchar', longText],
  ['(1::float / 8)::varchar', '0.125'],
];

const ONE: readonly Row[] = [
  // Cut, not rounded.
  ['trunc(2.789, 2)', '2.78'],
  ['trunc(-2.789, 1)', '-2.7'],
  ['trunc(-1289.5, -2)', -1200],
  ['trunc(0.999, 2)', '0.99'],
  ['trunc(null::decimal(5,3), 1)', null],
  // A number has 38 digits at most.
  ...[2, 3, 4, 7, 20].map((count): Row => [`sum(x) from ${nines(count)}`, long('SUM')]),
  [`sum(-x) from ${nines(3)}`, long('SUM')],
  [`avg(x) from ${nines(2)}`, long('the sum in AVG')],
  [`sum(distinct x) from ${nines(2, ` union all select ${NINES} - 1, 1`)}`, long('SUM')],
  [`sum(distinct x)::varchar from ${nines(2)}`, NINES],
  [`sum(x)::varchar from ${nines(2, ` union all select -${NINES}, 1`)}`, NINES],
  [`sum(x) from ${nines(1, ' union all select 1, 1')}`, long('SUM')],
  [`sum(x) over (partition by n) from ${nines(2)}`, long('SUM')],
  [`sum(x) from (select ${'9'.repeat(30)}.${'9'.repeat(8)} x union all select 0.00000001) t`, long('SUM')],
  [
    `sum(x)::varchar from (select ${'9'.repeat(30)}.${'9'.repeat(8)} x union all select -0.00000001) t`,
    `${'9'.repeat(30)}.${'9'.repeat(7)}8`,
  ],
  [`round(${NINES}, -1)`, long('ROUND')],
  [`round(x, -1) from ${nines(1)}`, long('ROUND')],
  [`round(-x, -37) from ${nines(1)}`, long('ROUND')],
  [`round(x, -38) from ${nines(1)}`, /these arguments of ROUND/],
  [`round(x - 9, -1)::varchar from ${nines(1)}`, `${'9'.repeat(37)}0`],
  [`trunc(x, -1)::varchar from ${nines(1)}`, `${'9'.repeat(37)}0`],
  ['round(9995::decimal(4,0), -4)', 10_000],
  ['round(95.5::decimal(3,1), -2)', 100],
  ['1.23456789012345678901234567890123456789', tooManyDigits],
  ['12345678901234567890.12345678901234567890', tooManyDigits],
  [`1${NINES}`, tooManyDigits],
  [`0.${'0'.repeat(37)}1`, tooManyDigits],
  [`0.${'0'.repeat(36)}1::varchar`, `0.${'0'.repeat(36)}1`],
  [`00${NINES}::varchar`, NINES],
  [`ceil(x, -1) from ${nines(1)}`, long('CEIL')],
  [`ceil(x - 9, -1)::varchar from ${nines(1)}`, `${'9'.repeat(37)}0`],
  [`floor(-x, -1) from ${nines(1)}`, long('FLOOR')],
  [`floor(x, -1)::varchar from ${nines(1)}`, `${'9'.repeat(37)}0`],
  [`ceil(1.5, -2)`, 100],
  [
    `max(s) from (select sum(x) over (order by n rows between 1 preceding and current row) s from ${nines(2)}) u`,
    long('SUM'),
  ],
  [`median(x) from ${nines(2)}`, /overflow|more than 38 digits|out of range/],
  [`div0(${NINES}, 0.1)`, /more than 38 digits|out of range/],
  [`* from (select * from ${nines(2)}) pivot(sum(x) for n in (1)) p`, long('SUM')],
  // A text beside a number has 5 decimal places at most.
  ["'12' + 1", 13],
  ["x + 1 from (select '1.12345' x)", '2.12345'],
  ["x + 1 from (select '1.123456' x)", /does not support the number text '1.123456' together with a number/],
  ["'1.123456' + 1", /the number text '1.123456' together with a number/],
  ["'10' / 3", /does not support the division of a text/],
  ["x / 3 from (select '10' x)", /does not support the division of a text/],
  ["mod('10', 3)", 1],
  ["div0('10', 4)", /does not support the division of a text/],
  ["+'5' + 1", 6],
  ["+'abc'", /the text 'abc' is not a number/],
  ["parse_json('1.5') + 1", '2.500000000000'],
  ["parse_json('0.1234567890123') + 1", /the number text '0.1234567890123' together with a number/],
  ["parse_json('true') + 1", /the number text 'true' together with a number/],
  ['parse_json(\'"x"\') + 1', /the text 'x' is not a number/],
  ["sum(x) from (select '0x10' x)", /the text '0x10' is not a number/],
  ["sum(x) from (select ' 1.5 ' x union all select '2')", 3.5],
  ["avg(x) from (select '1_0' x)", /the text '1_0' is not a number/],
  ["dateadd(day, 1.5, '2024-01-01'::date)", notWhole],
  ["dateadd(month, '1.5', '2024-01-01'::date)", notWhole],
  ["dateadd(day, x, '2024-01-01'::date) from (select 2.5::float x)", notWhole],
  ["dateadd(day, '2', '2024-01-01'::date)", '2024-01-03'],
  ["left('abc', 1.5)", notWhole],
  ["repeat('a', x) from (select 2.5::float x)", notWhole],
  ["left('abc', 2.0) || substr('abc', '3')", 'abc'],
  ['date_from_parts(2024, 1.5, 1)', notWhole],
  ["add_months('2024-01-01'::date, 1.4)", '2024-02-01'],
  ["dateadd(year, 1, '2016-02-29'::date)", '2017-02-28'],
  // The variance of NUMBER is a NUMBER, the standard deviation a FLOAT.
  [
    'variance(x)::varchar from (select 1 x union all select -1 union all select 1 union all select -1 union all select -1)',
    '1.200000',
  ],
  [
    'var_samp(x) from (select 1 x union all select null union all select 2 union all select 3 union all select 5 union all select 6)',
    '4.300000',
  ],
  ['variance(x) from (select null::number x)', null],
  ['variance(x) from (select 42 x)', null],
  ['variance(x) from (select 1.25::number(10,2) x union all select 2.5)', '0.781250'],
  ['variance(amount) from orders', '28.125000'],
  [
    'max(v) from (select variance(x) over (partition by n) v from (select 1 n, 1 x union all select 1, 3) t)',
    '2.000000',
  ],
  [
    'variance(x) from (select 1 x union all select 2 union all select 4)',
    /VARIANCE of NUMBER with a result of more than 6/,
  ],
  ['variance(x::float) from (select 1 x union all select 2 union all select 4)', 2.3333333333333335],
  ["variance(x) from (select '1' x union all select '3')", 2],
  ['variance(distinct x) from (select 1 x)', /these arguments of VARIANCE/],
  ['variance(x::number(20,7)) from (select 1 x)', /these arguments of VARIANCE/],
  ['stddev(distinct x) from (select 1 x union all select 1 union all select 3)', Math.SQRT2],
  ['median(distinct x) from (select 1 x)', /these arguments of MEDIAN/],
  ['covar_pop(distinct x, x) from (select 1 x)', /these arguments of COVAR_POP/],
  ['count_if(distinct x = 1) from (select 1 x)', /these arguments of COUNT_IF/],
  // Floating-point numbers.
  ['1e308::float * 10', infinite],
  ['-1e308::float - 1e308::float', infinite],
  ['1e308::float / 1e-10::float', infinite],
  ['power(10, 400)', infinite],
  ['exp(1000)', infinite],
  ['power(-8, 0.5)', infinite],
  ['sum(x) from (select 1e308::float x union all select 1e308)', infinite],
  ["'inf'::float + 1", infinite],
  ["greatest('inf'::float, 1)::varchar || ('NaN'::float)::varchar", 'infNaN'],
  ['round(2.5::float)', 3],
  ['round(2.675::float, 2)', halfway],
  ['round(0.125::float, 2)', 0.13],
  ['1.005::float::number(10,2)', halfway],
  ['0.125::float::number(10,2)', '0.13'],
  ['round(1250::float, -2)', 1300],
  ['0.1::float::number(38,20)', tooLong],
  ['9007199254740993::float::number::varchar', '9007199254740992'],
  ['123456789012345678::float::number', tooLong],
  ['1.5::float::varchar || 1e300::float::varchar || 123456::float::varchar', '1.51e+300123456'],
  ['(0.1::float + 0.2::float)::varchar', longText],
  ["'x' || (1::float / 3)", longText],
  ['123456789012::float::varchar', longText],
  // Texts beside dates.
  ["day = '2024-01-31' from orders where id = 1", true],
  ["day = '2024-01-31 00:00:00' from orders where id = 1", true],
  [
    "day = '2024-01-31 10:00:00' from orders where id = 1",
    /a comparison of a DATE with a text that has a time/,
  ],
  ["day < x from orders, (select '2024-01-31 10:00' x) where id = 1", /a DATE with a text that has a time/],
  // Semi-structured values.
  [
    `parse_json('{"a":undefined}')`,
    /undefined as a value in a JSON object: write null, or leave the key out/,
  ],
  [
    `try_parse_json('{"a":undefined}')`,
    /undefined as a value in a JSON object: write null, or leave the key out/,
  ],
  [`parse_json('[undefined]')[0] is null`, true],
  [`parse_json('{"a":1,"a":2}')`, /the text is not valid JSON: an object contains the same key twice/],
  [`try_parse_json('{"b":[{"a":1,"\\\\u0061":2}]}')`, null],
  [
    `parse_json('{"a":1.912e2}')`,
    /the number 1\.912e2 in semi-structured data, because a number with an exponent is a FLOAT; write the number with all its digits/,
  ],
  [
    `try_parse_json('1e400')`,
    /the number 1e400 in semi-structured data, because it is too large for a FLOAT/,
  ],
  [`parse_json('[1e-7]')[0]::float`, 1e-7],
  [`parse_json('[1e-7]')::varchar`, /the text of a FLOAT with an exponent/],
  [`to_json(parse_json('{"a":"b:\\\\"1e-7, 2e5", "e1":true}'))`, '{"a":"b:\\"1e-7, 2e5","e1":true}'],
  [`parse_json('"9e107d9d"')::varchar || 'x'::variant`, '9e107d9dx'],
  ["'2024-01-05 10:20:30'::timestamp::variant::varchar", '2024-01-05 10:20:30.000'],
  ["to_json(array_agg(x)) from (select '2024-01-05 10:20:30'::timestamp x)", '["2024-01-05 10:20:30.000"]'],
  ["x::variant::timestamp from (select '2024-01-05 10:20:30.5'::timestamp x)", '2024-01-05 10:20:30.5'],
  ["object_construct('t', '10:20:30'::time, 'd', '2024-01-05'::date)", { d: '2024-01-05', t: '10:20:30' }],
  ["object_construct('t', '2024-01-05 10:20:30.1234'::timestamp)", /a part of a millisecond in semi-struct/],
  ["object_construct('f', 1.5::float)", { f: 1.5 }],
  ["object_construct('f', 1.5::float):f::number(10,1)", '1.5'],
  ['typeof(1.5::float::variant)', floatInJson],
  ["to_json(object_construct('f', 1.5::float))", floatInJson],
  ["x:f || '' from (select object_construct('f', f) x from orders)", floatInJson],
  ['x[0]::varchar from (select array_agg(f) x from orders)', floatInJson],
  ['y.value::varchar from (select array_construct(f) x from orders) t, lateral flatten(t.x) y', floatInJson],
  ["x = 'a' from (select iff(true, f::variant, 'a'::variant) x from orders)", floatInJson],
  ["array_to_string(array_construct(1.5::float), ',')", floatInJson],
  ["to_json(object_construct('n', 1.5))", '{"n":1.5}'],
  ["typeof('2024-01-05'::date::variant)", /TYPEOF of a text that may be a date or a time/],
  ["typeof('2024-01'::variant)", 'VARCHAR'],
  // Formats.
  ["to_date('Mon 05/01/2024', 'DY DD/MM/YYYY')", /does not support the date text 'Mon 05\/01\/2024'/],
  ["to_date('Fri 05/01/2024', 'DY DD/MM/YYYY')", '2024-01-05'],
  ["try_to_date(x, 'DY DD/MM/YYYY') from (select 'Mon 05/01/2024' x)", /the date text 'Mon/],
  ["to_date('2024 2025-01-05', 'YYYY YYYY-MM-DD')", unsureFormat],
  ["to_date('24 2025-01-05', 'YY YYYY-MM-DD')", unsureFormat],
  ["to_date('Jan 01/05/2024', 'MON MM/DD/YYYY')", unsureFormat],
  ["to_timestamp('2024-01-05 02:10', 'YYYY-MM-DD HH12:MI')", unsureFormat],
  ["to_timestamp('2024-01-05 13:30 PM', 'YYYY-MM-DD HH24:MI PM')", unsureFormat],
  ["to_timestamp('2024-01-05 01:30 PM', 'YYYY-MM-DD HH12:MI PM')", '2024-01-05 13:30:00'],
  ["to_char('2024-01-05 14:05:06'::timestamp, 'HH24 PM')", unsureFormat],
  ["to_char('2024-01-05 14:05:06'::timestamp, 'HH12:MI PM')", '02:05 PM'],
  // Times that a time zone does not have, or has twice.
  [
    "convert_timezone('America/New_York', 'UTC', '2024-03-10 02:30:00'::timestamp)",
    /does not support the time '2024-03-10 02:30:00' in America\/New_York/,
  ],
  [
    "convert_timezone('America/New_York', 'UTC', '2024-11-03 01:30:00'::timestamp)",
    /does not support the time '2024-11-03 01:30:00' in America\/New_York/,
  ],
  ["convert_timezone('America/New_York', 'UTC', '2024-11-03 02:30:00'::timestamp)", '2024-11-03 07:30:00'],
  // Texts.
  [
    "upper('straße')",
    /UPPER of a text that contains a letter such as ß or İ, whose upper or lower case form is not a single letter/,
  ],
  ["upper('élan')", 'ÉLAN'],
  [
    "lower('İ')",
    /LOWER of a text that contains a letter such as ß or İ, whose upper or lower case form is not a single letter/,
  ],
  ["regexp_substr('abc', 'a|abc')", shorterFirst],
  ["regexp_replace('abcd', 'x(ab|[|(]|abc)y', 'x')", shorterFirst],
  ["regexp_replace('a.b|c', '(abc|ab|\\\\.|[|.])', '-')", 'a-b-c'],
  ["regexp_like('abc', 'a|abc')", true],
  ["'inf'::float::number", /the number inf is out of range of NUMBER\(38,0\)/],
  // Regular expressions: POSIX without lazy quantifiers, and eight classes of Perl.
  ...[
    'a*',
    'a?',
    'a{0,2}',
    'x|',
    'x|a',
    '^',
    '$',
    '^a*',
    '()',
    '(a*)',
    'b{0}',
    '\\\\b',
    '\\\\B',
    '(^|,)',
    '(,|$)',
  ].map((pattern): Row => [
    `regexp_replace('baac', '${pattern}', 'x')`,
    pattern === 'x|a' ? 'bxxc' : emptyMatch,
  ]),
  ["regexp_replace('a,b', '\\\\b,', 'x')", 'axb'],
  ["regexp_replace('ab', '^a', 'x')", 'xb'],
  ["regexp_substr('abc', 'x*')", /REGEXP_SUBSTR if the match is empty/],
  ["regexp_substr('xxa', 'x*')", 'xx'],
  ["regexp_substr('abc', 'x')", null],
  ["regexp_substr('abcd', '(a)|(abc)')", shorterFirst],
  ["regexp_like('', 'a*') and 'b' not rlike 'a*' and 'aa' regexp 'a*'", true],
  ...(
    [
      ['a+?', '+?'],
      ['<.*?>', '*?'],
      ['a??', '??'],
      ['a{1,2}?', '{1,2}?'],
      ['a++', '++'],
      ['a{2}{3}', '{2}{3}'],
      ['(?i)a', '(?i'],
      ['(?:a)', '(?:'],
      ['a(?=b)', '(?='],
      ['(?<n>a)', '(?<'],
      ['(?P<n>a)', '(?P'],
      ['(a)\\\\1', '\\1'],
      ['\\\\p{L}', '\\p'],
      ['\\\\Qa\\\\E', '\\Q'],
      ['\\\\Aa', '\\A'],
      ['a\\\\z', '\\z'],
      ['\\\\x41', '\\x'],
      ['[\\\\b]', '\\b'],
      ['[[:<:]]a', '[:'],
      ['[[:word:]]', '[:word:]'],
      ['[[.a.]]', '[.'],
      ['a{,2}', '{ without a number of repetitions'],
      ['^*a', '^*'],
      [`${'('.repeat(200)}a${')'.repeat(200)}`, 'parentheses of more than 100 levels'],
    ] as const
  ).flatMap(([pattern, part]): Row[] => [
    [`regexp_replace('ab', '${pattern}', 'x')`, undocumented(part)],
    [`regexp_substr('ab', '${pattern}')`, undocumented(part)],
    [`regexp_like('ab', '${pattern}')`, undocumented(part)],
    [`'ab' rlike '${pattern}'`, undocumented(part)],
  ]),
  ["'ab' rlike x from (select 'a' x)", /a regular expression that is not a literal/],
  ["regexp_like('ab', x) from (select 'a' x)", /a regular expression that is not a literal/],
  ["regexp_replace('a-b\\t<c>', '[^\\\\w\\\\-]|\\\\<|[[:space:]]', '')", 'a-bc'],
  ["regexp_replace('a]b[c', '[][]', '-')", 'a-b-c'],
  ["regexp_replace('ab', '(a)(b)', '\\\\2-\\\\1$1')", 'b-a$1'],
  ...[['x\\\\\\\\y'], ['\\\\n'], ['x\\\\'], ['\\\\0'], ['\\\\10']].map(([by]): Row => [
    `regexp_replace('ab', '(a)', '${by}')`,
    /a backslash in the replacement of REGEXP_REPLACE; a replacement refers to a group with \\1 to \\9/,
  ]),
  ["regexp_replace('ab', '(a)', '\\\\2')", says('the reference \\2 to a group that the regular expression')],
  [
    "regexp_replace('ab', 'a', x) from (select '\\\\1' x)",
    /backslash in the replacement of REGEXP_REPLACE that is not/,
  ],
  ["regexp_replace('ab', 'a', x) from (select 'y' x)", 'yb'],
  ['chr(0)', /does not support CHR of a number/],
  ["repeat('a', -1)", /does not support REPEAT with a negative number/],
  ["' true'::boolean", /the boolean text ' true'; write true or false/],
  ["'On'::boolean and not 'oFF'::boolean", true],
  // A number that is too large.
  ["'1e38'::number", /the text '1e38' is out of range of NUMBER\(38,0\)/],
  ["x::number(10,2) from (select '-1.5e10' x)", /the text '-1.5e10' is out of range of NUMBER\(10,2\)/],
  ["try_to_number('1e38')", null],
];

describe.each<{ kind: WarehouseKind; table: readonly Row[] }>([
  { kind: 'WAREHOUSE_ONE', table: ONE },
  { kind: 'WAREHOUSE_TWO', table: TWO },
])('on $kind', ({ kind, table }) => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await openOrders(kind);
  });
  afterAll(async () => {
    await warehouse[Symbol.asyncDispose]();
  });

  test.each(table)('%s gives %s', async (expression, outcome) => {
    const rows = rowsOf(`select ${expression}`, kind, warehouse);
    if (outcome instanceof RegExp) return expect(rows).rejects.toThrow(outcome);
    expect(JSON.parse(await rows)).toEqual([[outcome]]);
  });
});

test('a table remembers that its semi-structured data may have a FLOAT', async () => {
  await using warehouse = await openOrders('WAREHOUSE_ONE');
  const script =
    "create table kept as select f::variant as v, parse_json('1.5') as w from orders where id = 1";
  await runScript(script, 'WAREHOUSE_ONE', warehouse);
  const of = (column: string) => rowsOf(`select typeof(${column}) from kept`, 'WAREHOUSE_ONE', warehouse);
  await expect(of('v')).rejects.toThrow(floatInJson);
  expect(await of('w')).toBe('[["DECIMAL"]]');
});
