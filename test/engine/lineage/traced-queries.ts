/**
 * A query and what it traces to, by hand. In `columns`, each column has the columns of its values: as they are, `+` for computed and `#`
 * for aggregated; then `|` and the columns that choose its values. `rows` are the columns that decide about rows. The tables are
 * T (a, b, c, j, l), U (x, y), and the view V (a1, ub) over T.
 */
export interface TracedQuery {
  readonly sql: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly rows?: string;
  /** Sources that no change of one value shows, each as `column: source`. */
  readonly isHidden?: readonly string[];
}

export const tracedQueries: readonly TracedQuery[] = [
  // Columns and tables
  { sql: 'select b, a as n from T', columns: { b: 'T.b', n: 'T.a' } },
  { sql: 'select * from U', columns: { x: 'U.x', y: 'U.y' } },
  {
    sql: 'select * exclude (j) replace (a + 1 as a) from T',
    columns: { a: 'T.a+', b: 'T.b', c: 'T.c', l: 'T.l' },
  },
  { sql: "select columns('^[ab]$') from T", columns: { a: 'T.a', b: 'T.b' } },
  { sql: 'select ub, a1 from V', columns: { ub: 'V.ub', a1: 'V.a1' } },
  { sql: 'select 1 as one, null as nothing', columns: { one: '', nothing: '' } },
  { sql: 'select * from (values (1, 2), (3, 4)) v(p, q)', columns: { p: '', q: '' } },
  // Expressions
  {
    sql: "select a, coalesce(b, 'x') as b, cast(c as varchar) as c from T",
    columns: { a: 'T.a', b: 'T.b+', c: 'T.c' },
  },
  { sql: "select case when b = 'p' then a else 0 end as k from T", columns: { k: 'T.b+ T.a+' } },
  { sql: 'select a between 1 and length(b) as k from T', columns: { k: 'T.a+ T.b+' } },
  { sql: 'select struct_pack(k := a, v := b) as s from T', columns: { s: 'T.a+ T.b+' } },
  { sql: 'select list_transform(l, z -> z + a) as z from T', columns: { z: 'T.l+ T.a+' } },
  { sql: "select j ->> 'k' as k from T", columns: { k: 'T.j+' } },
  // Filters, order and distinct rows
  { sql: 'select b from T where a > 1 and c is not null', columns: { b: 'T.b' }, rows: 'T.a T.c' },
  { sql: 'select a from T order by b', columns: { a: 'T.a' } },
  { sql: 'select a from T order by b limit 2', columns: { a: 'T.a' }, rows: 'T.b' },
  { sql: 'select distinct b from T', columns: { b: 'T.b' }, rows: 'T.b' },
  {
    sql: 'select distinct on (b) b, a from T order by b, c desc',
    columns: { b: 'T.b', a: 'T.a' },
    rows: 'T.b T.c',
  },
  {
    sql: 'select a from T qualify row_number() over (partition by b order by c) = 1',
    columns: { a: 'T.a' },
    rows: 'T.b T.c',
  },
  // Groups
  { sql: "select count(*) as n from T where b = 'p'", columns: { n: '' }, rows: 'T.b' },
  {
    sql: 'select b, sum(a) as s, max(c) as m from T group by b having count(*) > 1',
    columns: { b: 'T.b', s: 'T.a#', m: 'T.c#' },
    rows: 'T.b',
  },
  { sql: "select sum(a) filter (where b = 'p') as s from T", columns: { s: 'T.a# | T.b' } },
  { sql: "select string_agg(b, ',' order by c) as s from T", columns: { s: 'T.b# | T.c' } },
  { sql: 'select first(a order by c) as f from T', columns: { f: 'T.a# | T.c' } },
  {
    sql: 'select grouping(b) as g, b, sum(a) as s from T group by rollup (b)',
    columns: { g: '', b: 'T.b', s: 'T.a#' },
    rows: 'T.b',
  },
  {
    sql: "select * from (pivot (select a, b, c from T) on b in ('p', 'q') using sum(a) group by c)",
    columns: { c: 'T.c', p: 'T.a# | T.b', q: 'T.a# | T.b' },
    rows: 'T.c',
  },
  {
    sql: 'select * from (unpivot (select a, length(b) as d from T) on a, d)',
    columns: { name: '', value: 'T.a+ T.b+' },
    rows: 'T.a T.b',
  },
  // Windows
  {
    sql: 'select a, row_number() over (partition by b order by c) as rn from T',
    columns: { a: 'T.a', rn: '| T.b T.c' },
    // The numbers stay the same ones.
    isHidden: ['rn: T.c'],
  },
  {
    sql: 'select sum(a) over (partition by b order by c) as s, lag(a, 1, 7) over (order by c) as p from T',
    columns: { s: 'T.a# | T.b T.c', p: 'T.a+ | T.c' },
  },
  // Joins
  {
    sql: 'select a + x as s, y from T join U on a = x where y > 1',
    columns: { s: 'T.a+ U.x+', y: 'U.y' },
    rows: 'T.a U.x U.y',
  },
  {
    sql: 'select t.a, u.y from T t left join U u on t.a = u.x',
    columns: { a: 'T.a', y: 'U.y' },
    rows: 'T.a U.x',
  },
  {
    sql: "select t.a, u.y from T t full join U u on t.a = u.x and t.b = 'p'",
    columns: { a: 'T.a', y: 'U.y' },
    rows: 'T.a T.b U.x',
  },
  { sql: 'select t.b from T t semi join U u on t.a = u.x', columns: { b: 'T.b' }, rows: 'T.a U.x' },
  { sql: 'select t.b from T t anti join U u on t.a > u.x', columns: { b: 'T.b' }, rows: 'T.a U.x' },
  { sql: 'select t.b, u.y from T t, U u', columns: { b: 'T.b', y: 'U.y' } },
  { sql: 'select t.b, u.y from T t positional join U u', columns: { b: 'T.b', y: 'U.y' } },
  {
    sql: 'select t.b, u.y from T t asof join U u on t.a >= u.x',
    columns: { b: 'T.b', y: 'U.y' },
    rows: 'T.a U.x',
  },
  {
    sql: 'select t.a, q.y from T t join lateral (select * from U u where u.x = t.a order by u.y limit 1) q on true',
    columns: { a: 'T.a', y: 'U.y' },
    rows: 'T.a U.x U.y',
  },
  // Subqueries
  {
    sql: 'select a, (select max(y) from U where x = a) as m from T',
    columns: { a: 'T.a', m: 'U.y# | T.a U.x' },
  },
  { sql: 'select b, (select max(y) from U where x > 1) as m from T', columns: { b: 'T.b', m: 'U.y# | U.x' } },
  {
    sql: 'select b from T where exists (select 1 from U where x = a)',
    columns: { b: 'T.b' },
    rows: 'T.a U.x',
  },
  {
    sql: 'select b from T where a not in (select x from U where y > 0)',
    columns: { b: 'T.b' },
    rows: 'T.a U.x U.y',
  },
  { sql: 'select b from T where a >= all (select x from U)', columns: { b: 'T.b' }, rows: 'T.a U.x' },
  { sql: 'select a in (select x from U) as k from T', columns: { k: 'T.a+ U.x+' } },
  { sql: 'select exists (select 1 from U where x = a) as k from T', columns: { k: 'T.a+ | T.a U.x' } },
  {
    sql: 'select b, (select max(u.y + (select min(v.x) from U v where v.x > t.a)) from U u where u.x = t.a) as m from T t',
    columns: { b: 'T.b', m: 'U.y# U.x# | T.a U.x' },
  },
  {
    sql: 'select t.b, (select list(q.v) from unnest(t.l) q(v)) as k from T t',
    columns: { b: 'T.b', k: 'T.l# | T.l' },
  },
  // Lists and JSON
  { sql: 'select a, u from T, unnest(l) as q(u)', columns: { a: 'T.a', u: 'T.l+' }, rows: 'T.l' },
  { sql: 'select a, unnest(l) as e from T', columns: { a: 'T.a', e: 'T.l+' }, rows: 'T.l' },
  {
    sql: 'select a, e.value as v, e.key as k from T, json_each(j) e',
    columns: { a: 'T.a', v: 'T.j+', k: 'T.j+' },
    rows: 'T.j',
  },
  { sql: 'select b, g from T, generate_series(1, a) s(g)', columns: { b: 'T.b', g: 'T.a+' }, rows: 'T.a' },
  // Sets of rows: columns belong together by their positions
  {
    sql: 'select a as x, b as y from T union all select x as y, y as x from U',
    columns: { x: 'T.a U.x', y: 'T.b U.y' },
  },
  { sql: 'select a from T union select x from U', columns: { a: 'T.a U.x' }, rows: 'T.a U.x' },
  { sql: 'select a from T except select x from U', columns: { a: 'T.a' }, rows: 'T.a U.x' },
  { sql: 'select a from T intersect select x from U', columns: { a: 'T.a' }, rows: 'T.a U.x' },
  { sql: 'select a as x from T union all by name select y, x from U', columns: { x: 'T.a U.x', y: 'U.y' } },
  // Common table expressions
  {
    sql: 'with r as (select a + 1 as q, b from T), s as (select q * 2 as z, q, b from r) select z, q, b from s',
    columns: { z: 'T.a+ @r,s', q: 'T.a+ @r', b: 'T.b' },
  },
  {
    sql: 'with r as materialized (select a, b from T) select r1.a, r2.b from r r1 join r r2 on r1.a < r2.a',
    columns: { a: 'T.a', b: 'T.b' },
    rows: 'T.a',
  },
  {
    sql: 'with r as (select a from T), s as (with r as (select x from U) select x from r) select r.a, s.x from r, s',
    columns: { a: 'T.a', x: 'U.x' },
  },
  {
    sql: 'with recursive r as (select a, 1 as n from T union all select a + n, n + 1 from r where n < 3) select * from r',
    columns: { a: 'T.a+ @r', n: ' @r' },
  },
  {
    sql: 'with recursive r as (select a as p, x as q, 0 as n from T, U union all select q, p, n + 1 from r where n < 2) select p from r',
    columns: { p: 'T.a U.x' },
  },
];
