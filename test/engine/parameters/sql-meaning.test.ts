import { expect, test } from 'vitest';
import { sqlMeaning } from '../../../engine/parameters/sql-meaning.ts';
import type { WarehouseKind } from '../../../engine/index.ts';

type Pair = readonly [what: string, one: string, other: string, kind?: WarehouseKind];

const two = 'WAREHOUSE_TWO';

const same: readonly Pair[] = [
  ['white space', 'select a,b from t', 'select\n  a,\r\n\tb\nfrom t\n'],
  ['white space around operators', 'select a+b*c', 'select a + b * c'],
  ['the case of keywords and names', 'select Amount from orders', 'SELECT AMOUNT FROM ORDERS'],
  ['the case of names, second kind', 'select Amount from orders', 'SELECT amount FROM ORDERS', two],
  ['a comment to the end of the line', 'select a -- the amount\nfrom t', 'select a from t'],
  ['a comment with //', 'select a // the amount\nfrom t', 'select a from t'],
  ['a comment over lines', 'select /* the\namount */ a from t', 'select a from t'],
  ['a comment with a quotation mark', "select a -- don't\n, b from t", 'select a, b from t'],
  ['a comment with a semicolon', 'select a; -- then; this\nselect b', 'select a; select b'],
  ['a comment inside of a comment', 'select /* a /* b */ c */ a', 'select a', two],
  ['another comment', '/* one */ select a', '/* two */ select a'],
  ['a comment at the end', 'select a', 'select a -- end'],
  [
    'white space around a variable',
    'select * from ${schema}.t where a = 1',
    'SELECT *  FROM ${schema}.T WHERE a=1',
  ],
  ['white space around $T{…}', 'select * from $T{Read Orders} r', 'SELECT * FROM $T{Read Orders} R'],
  ['line ends without a variable', "select '${day}'::date a,\nb", "select '${day}'::date a, b"],
];

const different: readonly Pair[] = [
  ['another name', 'select a', 'select b'],
  ['another operator', 'select a < b', 'select a <= b'],
  ['operators that are apart', 'select a < = b', 'select a <= b'],
  ['the case of a text', "select 'Open'", "select 'open'"],
  ['white space in a text', "select 'a b'", "select 'a  b'"],
  ['a comment marker in a text', "select 'a -- b'", "select 'a -- c'"],
  ['a comment marker over lines in a text', "select '/* a */'", "select '/* b */'"],
  ['// in a text', "select 'https://a'", "select 'https://b'"],
  ['the case of a quoted name', 'select "Amount"', 'select "AMOUNT"'],
  ['a name in quotes', 'select "AMOUNT"', 'select AMOUNT'],
  ['a comment marker in a quoted name', 'select "a--b"', 'select "a--c"'],
  ['a hint', 'select /*+ broadcast(a) */ * from a', 'select /*+ broadcast(b) */ * from a'],
  ['a hint that is new', 'select * from a', 'select /*+ broadcast(a) */ * from a', two],
  ['a hint to the end of the line', 'select --+ first\n a', 'select a'],
  ['SQL for one version', 'select /*!40001 no_cache */ a', 'select a'],
  ['a comment in a body between dollar signs', 'as $$ return 1; -- one $$', 'as $$ return 1; -- two $$'],
  ['white space in a body between dollar signs', 'as $$a b$$', 'as $$a  b$$'],
  ['a variable', 'select ${a} from t', 'select ${b} from t'],
  ['a variable that moves', 'select ${a}, ${b}', 'select ${b}, ${a}'],
  ['a comment with a variable', 'select a -- ${note}\n', 'select a -- ${other}\n'],
  ['a name that a variable continues', 'select * from t_${day}', 'select * from t_ ${day}'],
  ['the case of a name that a variable continues', 'select * from T_${day}', 'select * from t_${day}'],
  ['the line of a value, which may end with a comment', 'select ${a}\n, b from t', 'select ${a}, b from t'],
  ['SQL that was a comment', 'select a -- , b\nfrom t', 'select a , b\nfrom t'],
  ['the line end of a comment', 'select a -- x\n, b from t', 'select a -- x , b from t'],
  ['the case in a path', 'select data:Name from t', 'select data:name from t'],
  ['the case deep in a path', 'select data:items[0].Name::varchar', 'select data:items[0].name::varchar'],
  ['a letter before a text', "select e'a'", "select e 'a'", two],
  ['texts on two lines, which are one text', "select 'a'\n'b'", "select 'a' 'b'", two],
  ['an address without quotes', 'url = file://a\n', 'url = file://b\n'],
  ['white space, where no token begins', 'copy into @stage from t', 'copy into @stage  from t'],
  ['white space after a session variable', 'select $day from t', 'select $day  from t'],
  ['a text without an end', "select 'a", "select  'a"],
];

const titled = (pairs: readonly Pair[]) =>
  pairs.map(([what, one, other, kind = 'WAREHOUSE_ONE' as const]) => [what, one, other, kind] as const);

test.each(titled(same))('%s changes nothing', (_, one, other, kind) => {
  expect(sqlMeaning(one, kind)).toBe(sqlMeaning(other, kind));
});

test.each(titled(different))('%s is a change', (_, one, other, kind) => {
  expect(sqlMeaning(one, kind)).not.toBe(sqlMeaning(other, kind));
});
