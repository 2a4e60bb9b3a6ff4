import { expect, test } from 'vitest';
import { withEdits } from '../../../../flows/mutation/faults/fault.ts';
import { sqlFaults } from '../../../../flows/mutation/faults/sql-faults.ts';
import { readSql } from '../../../../flows/mutation/faults/sql-structure.ts';
import type { FaultKind } from '../../../../flows/mutation/faults/fault-kinds.ts';
import type { WarehouseKind } from '../../../../engine/index.ts';

/** The texts with a change of one kind; without a kind, all texts. */
function changed(
  text: string,
  kind?: FaultKind,
  {
    warehouse = 'WAREHOUSE_ONE',
    isExpression = false,
  }: { warehouse?: WarehouseKind; isExpression?: boolean } = {},
): readonly string[] {
  const script = readSql(text, warehouse, { isExpression });
  if (script === undefined) throw new Error(`not split: ${text}`);
  return sqlFaults(script)
    .filter((fault) => kind === undefined || fault.kind === kind)
    .map(({ edits }) => withEdits(text, edits));
}

const tables: readonly (readonly [kind: FaultKind, text: string, expected: readonly string[]])[] = [
  ['comparison', 'select 1 from t where a = b', ['select 1 from t where a <> b']],
  ['comparison', 'select 1 from t where a != b', ['select 1 from t where a = b']],
  ['comparison', 'select a < b', ['select a <= b']],
  ['comparison', 'select a >= b', ['select a > b']],
  ['comparison', 'select greatest(a, b)', ['select least(a, b)']],
  ['comparison', "update t set a = 1 where b = 'x'", ["update t set a = 1 where b <> 'x'"]],
  [
    'comparison',
    'merge into t using s on t.i = s.i when matched then update set a = s.a when not matched then insert (a) values (s.a)',
    [
      'merge into t using s on t.i <> s.i when matched then update set a = s.a when not matched then insert (a) values (s.a)',
    ],
  ],
  ['negation', 'select 1 from t where a in (1)', ['select 1 from t where a not in (1)']],
  ['negation', 'select 1 from t where a not in (1)', ['select 1 from t where a in (1)']],
  ['negation', 'select 1 from t where not exists (select 1)', ['select 1 from t where exists (select 1)']],
  ['negation', "select a NOT LIKE 'x'", ["select a LIKE 'x'"]],
  ['negation', 'select a between 1 and 2', ['select a not between 1 and 2']],
  ['negation', "select position('a' in b)", []],
  ['combination', 'select a and b or c', ['select a or b or c', 'select a and b and c']],
  ['combination', 'select a between b and c', []],
  ['arithmetic', 'select a + b', ['select a - b']],
  [
    'arithmetic',
    'select a - b, -c, (d) * e / 2',
    ['select a + b, -c, (d) * e / 2', 'select a - b, -c, (d) / e / 2', 'select a - b, -c, (d) * e * 2'],
  ],
  ['arithmetic', 'select *, t.*, count(*) from t', []],
  [
    'constant',
    'select 1 from t where a > 10 limit 5',
    [
      'select 2 from t where a > 10 limit 5',
      'select 1 from t where a > 11 limit 5',
      'select 1 from t where a > 10 limit 6',
    ],
  ],
  ['constant', 'select a > 0.99, b = 1.0', ['select a > 1.00, b = 1.0', 'select a > 0.99, b = 1.1']],
  ['constant', "select a = '2024-02-29'", ["select a = '2024-03-01'"]],
  ['constant', "select a in ('x', 'y')", ["select a in ('xX', 'y')", "select a in ('x', 'yX')"]],
  ['constant', "select to_char(a, 'YYYY'), split_part(b, ',', c)", []],
  ['constant', 'select a from t group by 1 order by 1', []],
  ['constant', 'insert into t values (1, 2)', []],
  [
    'constant',
    "select case when a then 'x' else 'y' end",
    ["select case when a then 'xX' else 'y' end", "select case when a then 'x' else 'yX' end"],
  ],
  ['join-type', 'select 1 from a join b using (i)', ['select 1 from a left join b using (i)']],
  ['join-type', 'select 1 from a LEFT OUTER JOIN b using (i)', ['select 1 from a INNER JOIN b using (i)']],
  ['join-type', 'select 1 from a right join b using (i)', ['select 1 from a inner join b using (i)']],
  ['join-type', 'select 1 from a full join b using (i)', ['select 1 from a left join b using (i)']],
  ['join-type', 'select 1 from a inner join b using (i)', ['select 1 from a left join b using (i)']],
  ['join-type', 'select 1 from a cross join b', []],
  [
    'aggregate',
    'select sum(a), MIN(b), avg(c)',
    ['select max(a), MIN(b), avg(c)', 'select sum(a), MAX(b), avg(c)', 'select sum(a), MIN(b), sum(c)'],
  ],
  [
    'aggregate',
    'select count(a), count(distinct b), count(*)',
    ['select count(distinct a), count(distinct b), count(*)', 'select count(a), count( b), count(*)'],
  ],
  ['aggregate', 'select sum, t.max from t', []],
  ['window', 'select lead(a) over (order by b)', ['select lag(a) over (order by b)']],
  ['window', 'select row_number() over (order by b)', ['select rank() over (order by b)']],
  [
    'left-out-condition',
    'select 1 from t where a and (b or c) group by d',
    ['select 1 from t where (b or c) group by d', 'select 1 from t where a group by d'],
  ],
  ['left-out-condition', 'select 1 from t where a or b', ['select 1 from t']],
  [
    'left-out-condition',
    'select 1 from t where a group by b having c qualify d',
    [
      'select 1 from t group by b having c qualify d',
      'select 1 from t where a group by b qualify d',
      'select 1 from t where a group by b having c',
    ],
  ],
  [
    'left-out-condition',
    'select 1 from t where a between b and c and d',
    ['select 1 from t where d', 'select 1 from t where a between b and c'],
  ],
  [
    'left-out-condition',
    'select 1 from (select 2 from u where a) where b',
    ['select 1 from (select 2 from u) where b', 'select 1 from (select 2 from u where a)'],
  ],
  [
    'left-out-key',
    'select 1 from a join b on a.i = b.i and a.j = b.j join c on c.i = a.i',
    [
      'select 1 from a join b on a.j = b.j join c on c.i = a.i',
      'select 1 from a join b on a.i = b.i join c on c.i = a.i',
    ],
  ],
  [
    'left-out-partition',
    'select sum(a) over (partition by b, c order by d)',
    ['select sum(a) over (partition by c order by d)', 'select sum(a) over (partition by b order by d)'],
  ],
  ['left-out-partition', 'select sum(a) over (partition by b)', ['select sum(a) over ()']],
  [
    'left-out-branch',
    'select case when a then 1 when b then 2 else 3 end',
    [
      'select case when b then 2 else 3 end',
      'select case when a then 1 else 3 end',
      'select case when a then 1 when b then 2 end',
    ],
  ],
  ['left-out-branch', 'select case when a then 1 end', []],
  [
    'left-out-branch',
    'merge into t using s on t.i = s.i when matched then delete when not matched then insert (i) values (s.i)',
    [
      'merge into t using s on t.i = s.i when not matched then insert (i) values (s.i)',
      'merge into t using s on t.i = s.i when matched then delete',
    ],
  ],
  [
    'left-out-statement',
    'delete from t; insert into t select 1; drop table u',
    ['; insert into t select 1; drop table u', 'delete from t; ; drop table u'],
  ],
  ['left-out-statement', 'delete from t', []],
  ['swapped-branches', 'select iff(a, f(b), c)', ['select iff(a, c, f(b))']],
  ['set-operator', 'select 1 union all select 2', ['select 1 union select 2']],
  ['set-operator', 'select 1 UNION select 2', ['select 1 UNION ALL select 2']],
  ['set-operator', 'select 1 except select 2', ['select 1 intersect select 2']],
  ['distinct', 'select distinct a from t', ['select a from t']],
  [
    'order',
    'select sum(a) over (order by b desc nulls last, c)',
    [
      'select sum(a) over (order by b asc nulls last, c)',
      'select sum(a) over (order by b desc nulls first, c)',
      'select sum(a) over (order by b desc nulls last, c desc)',
    ],
  ],
  ['order', 'select a from t order by b limit 1', ['select a from t order by b desc limit 1']],
  ['order', 'select a from t order by b', []],
  ['null-handling', 'select 1 from t where a is null', ['select 1 from t where a is not null']],
  ['null-handling', 'select 1 from t where a is not null', ['select 1 from t where a is null']],
  [
    'null-handling',
    'select coalesce(a, f(b), 0) + nvl(c, 1)',
    ['select (a) + nvl(c, 1)', 'select coalesce(a, f(b), 0) + (c)'],
  ],
  ['decimals', 'select cast(a as number(12, 2))', ['select cast(a as number(12, 0))']],
];

test.each(tables)('changes of the kind %s in %s', (kind, text, expected) => {
  for (const warehouse of ['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)
    expect(changed(text, kind, { warehouse })).toEqual(expected);
});

test('every kind of change in SQL is in the table', () => {
  const ofComponents: readonly string[] = [
    'left-out-row',
    'left-out-input',
    'left-out-transition',
    'swapped-inputs',
    'swapped-columns',
    'write-mode',
  ];
  const kinds = new Set<string>(tables.map(([kind]) => kind));
  expect(kinds.intersection(new Set(ofComponents))).toEqual(new Set());
  expect(kinds.size + ofComponents.length).toBe(25);
});

test.each([
  ['comments', 'select a -- b = c\n/* d < 1 */'],
  ['texts', 'select \'a = 1 and b\', "c = 1"'],
  ['variables', 'select ${a} from ${t} where b_${c}'],
  ['a definition', 'create table t (a number(38, 2), b varchar(10) not null)'],
  ['a grant', 'grant select on t to role r'],
])('no change of %s', (_, text) => {
  const [first, ...more] = changed(text);
  // The filter as a whole can be left out.
  expect(more).toEqual([]);
  if (first !== undefined) expect(first).toBe('select ${a} from ${t}');
});

test('a variable stays as it is beside a change, and its value is not changed', () => {
  expect(changed("select 1 from t where a = '${b > 1}' and c < ${d} + 10", 'comparison')).toEqual([
    "select 1 from t where a <> '${b > 1}' and c < ${d} + 10",
    "select 1 from t where a = '${b > 1}' and c <= ${d} + 10",
  ]);
  expect(changed("select 1 from t where a = '${b}' and c < 1${d}", 'constant')).toEqual([
    "select 2 from t where a = '${b}' and c < 1${d}",
  ]);
});

test('of a definition of a table by a query, only the query changes', () => {
  expect(changed('create table t as select a from u where b > c')).toEqual([
    'create table t as select a from u',
    'create table t as select a from u where b >= c',
  ]);
});

test('an expression of a join is one condition, whose keys can be left out', () => {
  expect(changed('"a"."i" = "b"."i" and "a"."j" = 1', 'left-out-key', { isExpression: true })).toEqual([
    '"a"."j" = 1',
    '"a"."i" = "b"."i"',
  ]);
});

test('`//` begins a comment in one dialect only, and only the other dialect has comments inside of comments', () => {
  expect(changed('select a // = b', 'comparison')).toEqual([]);
  expect(changed('select a = b /* /* */ < c */', 'comparison', { warehouse: 'WAREHOUSE_TWO' })).toEqual([
    'select a <> b /* /* */ < c */',
  ]);
});

test('a comment stays before a part that is left out', () => {
  expect(changed('select a from b -- c\nwhere d group by e')).toEqual(['select a from b -- c\n group by e']);
});

test('SQL that cannot be split has no changes', () => {
  expect(readSql("select 'a", 'WAREHOUSE_ONE', { isExpression: false })).toBeUndefined();
});
