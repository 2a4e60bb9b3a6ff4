import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WarehouseKind } from '../../../engine/index.ts';
import { startThen } from './execute.ts';
import { openTestWarehouse, type TestSchema } from './on-warehouse.ts';

/** SQL that fails: a SELECT, and the reason in the words of the warehouse. */
interface Failure {
  readonly what: string;
  readonly sql: string;
  /** Of both kinds, or of WAREHOUSE_ONE and WAREHOUSE_TWO. */
  readonly reason: string | readonly [string, string];
  /** Where in `sql` a translation fails; other failures have the place of the statement or expression. */
  readonly at?: number | readonly [one: number | undefined, two: number | undefined];
}

/** Queries of the table T: ID 1, WORD 'abc', ZERO 0, BIG 38 times 9. */
const queries: readonly Failure[] = [
  {
    what: 'syntax',
    sql: 'select id from t wher id = 1',
    at: 22,
    reason: 'syntax error near id; did you mean WHERE?',
  },
  {
    what: 'an unknown function',
    sql: 'select nope(id) from t',
    at: 7,
    reason: 'Millrace does not support the function NOPE',
  },
  {
    what: 'an unknown column',
    sql: 'select nope from t',
    at: 7,
    reason: [
      'column "NOPE" not found; "T" has "ID", "WORD", "ZERO", "BIG"',
      'column "nope" not found; "t" has "id", "word", "zero", "big"',
    ],
  },
  {
    what: 'an unknown table',
    sql: 'select id from missing',
    at: 15,
    reason: ['table "DB"."S1"."MISSING" not found', 'table "db"."s1"."missing" not found'],
  },
  {
    what: 'a wrong type',
    sql: 'select id + true as x from t',
    at: 10,
    reason: 'Millrace does not support BOOLEAN where a number is expected; cast it to a number',
  },
  {
    what: 'an ambiguous column',
    sql: 'select id from t a join t b on a.id = b.id',
    at: 7,
    reason: [
      'several tables in FROM have a column "ID"; write the name or alias of the table before it',
      'several tables in FROM have a column "id"; write the name or alias of the table before it',
    ],
  },
  {
    what: 'a construct that is not known',
    sql: 'select id from t sample (10)',
    at: 17,
    reason:
      'Millrace does not support SAMPLE after a table; a random sample differs in each run: select the rows with WHERE',
  },
  {
    what: 'valid SQL whose HAVING the engine cannot run',
    sql: "select max(big) - min(zero) as x, word from t group by word having max(big) > avg(big) or word = 'a'",
    reason:
      'Millrace does not support this statement; the engine could not run it: the column "a" must be listed in GROUP BY or be in an aggregate function',
  },
  {
    what: 'valid SQL whose order of distinct texts the engine cannot run',
    sql: "select listagg(distinct upper(word), ',') within group (order by upper(word)) as x from t",
    reason:
      'Millrace does not support this statement; the engine could not run it: In a DISTINCT aggregate, ORDER BY expressions must appear in the argument list',
  },
  { what: 'a division by zero', sql: 'select 1 / zero as x from t', reason: 'Division by zero' },
  { what: 'a remainder by zero', sql: 'select 1 % zero as x from t', reason: 'Division by zero' },
  {
    what: 'a text that is not an integer',
    sql: 'select cast(word as integer) as x from t',
    reason: [
      `the text 'abc' is not a number: the column "WORD"`,
      `the text 'abc' is not a number: the column "word"`,
    ],
  },
  {
    what: 'a text that is not a decimal',
    sql: 'select cast(word as decimal(5,2)) as x from t',
    reason: [
      `the text 'abc' is not a number: the column "WORD"`,
      `the text 'abc' is not a number: the column "word"`,
    ],
  },
  {
    what: 'a text that is not a date',
    sql: 'select cast(word as date) as x from t',
    reason: "the text 'abc' is not a date: expected YYYY-MM-DD",
  },
  {
    what: 'a text that is not a timestamp',
    sql: 'select cast(word as timestamp) as x from t',
    reason: "the text 'abc' is not a timestamp: expected YYYY-MM-DD HH:MM:SS",
  },
  {
    what: 'a text that is not a boolean',
    sql: 'select cast(word as boolean) as x from t',
    reason: [
      `the text 'abc' is not a boolean: the column "WORD"`,
      `the text 'abc' is not a boolean: the column "word"`,
    ],
  },
  {
    what: 'a date that does not exist',
    sql: "select cast('2024-13-45' as date) as x",
    reason: "the text '2024-13-45' is not a date: a part of it is out of range",
  },
  {
    what: 'a text of another date format',
    sql: "select to_date(word, 'YYYY-MM-DD') as x from t",
    reason: "the text 'abc' does not have the given format",
  },
  {
    what: 'a number that is too large for its type',
    sql: 'select cast(big as decimal(5,2)) as x from t',
    reason: [
      `the number ${'9'.repeat(38)} is out of range of NUMBER(5,2): the column "BIG"`,
      `the number ${'9'.repeat(38)} is out of range of DECIMAL(5,2): the column "big"`,
    ],
  },
  {
    what: 'an overflow of a product',
    sql: 'select big * big as x from t',
    reason: 'overflow: the result of the multiplication has more than 38 digits',
  },
  {
    what: 'an overflow of a sum',
    sql: 'select big + big as x from t',
    reason: 'overflow: the result of the addition has more than 38 digits',
  },
  {
    what: 'several rows of a subquery',
    sql: 'select (select id from t union all select 2) as x',
    reason: 'a subquery in an expression has more than one row',
  },
  {
    what: 'a column that is not grouped',
    sql: 'select id as x, count(*) as c from t',
    reason: [
      'the column "ID" must be listed in GROUP BY or be in an aggregate function',
      'the column "id" must be listed in GROUP BY or be in an aggregate function',
    ],
  },
  {
    what: 'an aggregate in WHERE',
    sql: 'select id as x from t where count(*) > 1',
    reason: 'WHERE cannot contain aggregate functions',
  },
  {
    what: 'a common table expression and an alias',
    sql: 'with a as (select word w from t), b as (select q.w from a q) select cast(b.w as integer) as x from b',
    reason: [
      `the text 'abc' is not a number: the column "W"`,
      `the text 'abc' is not a number: the column "w"`,
    ],
  },
  {
    what: 'the regular expression',
    sql: "select regexp_replace(word, '(', '') as x from t",
    reason: 'the regular expression ( has no closing )',
  },
];

/** Statements that change something. */
const changes: readonly Failure[] = [
  {
    what: 'MERGE with two rows for one',
    sql: "merge into t using twice s on t.id = s.k when matched then update set word = 'z' when not matched then insert (id) values (s.k)",
    reason: 'MERGE: several rows of the source match the same row of the target',
  },
  {
    what: 'a text that is too long',
    sql: "insert into narrow (w) values ('abcdef')",
    reason: [
      'a text is longer than VARCHAR(3) allows: column W of the table NARROW',
      'a text is longer than VARCHAR(3) allows: column w of the table narrow',
    ],
  },
  {
    what: 'NULL in a column that is NOT NULL',
    sql: 'insert into strict (w) values (null)',
    reason: [
      'NULL is not allowed: the column "W" of the table "STRICT" is NOT NULL',
      'NULL is not allowed: the column "w" of the table "strict" is NOT NULL',
    ],
  },
  {
    what: 'a view of a table that is gone',
    sql: 'select * from orphan',
    reason: [
      'the view "ORPHAN" cannot be read: it reads "GONE", which no longer exists; create the view again',
      'table "gone" not found',
    ],
    at: [14, undefined],
  },
  {
    what: 'a column that exists already',
    sql: 'alter table t add column id int',
    reason: ['column "ID" exists already', 'column "id" exists already'],
  },
  {
    what: 'too many values',
    sql: 'insert into t (id) values (1, 2)',
    at: 7,
    reason: 'INSERT has 2 values for 1 columns',
  },
  {
    what: 'a schema that exists already',
    sql: 'create schema s1',
    reason: ['the schema DB.S1 exists already', 'the schema db.s1 exists already'],
  },
];

/** The engine's and DuckDB's own words, which no reason may have. */
const foreign =
  /component_\d|millrace_|input_\d|target_1|source_1|\b[ctuvqe]\d+_|"(?:DB|db)\.|\bINT\d+|DOUBLE|HUGEINT|Binder|Parser Error|Catalog|Conversion|LINE \d|\^|explicit cast|ANY_VALUE|TRY_CAST|strftime|specifier|casting from|Did you mean|json_|->/;

type Files = Readonly<Record<string, string>>;

/** The files of a pipeline whose component `It` has the SQL. */
type Host = (sql: string) => Files;

const text = (components: object) => {
  const metadata = { scope: 'SHARED', visibility: 'PUBLIC' };
  const variables = {
    v: { metadata: { type: 'TEXT', ...metadata }, defaultValue: '' },
    g: { metadata: { type: 'GRID', columns: ['c'], ...metadata }, defaultValue: [] },
  };
  return JSON.stringify({ version: '1.0', pipeline: { components, variables } }, null, 2);
};
const orchestration = (type: string, parameters: object, more: object = {}) =>
  text({ Start: startThen('It'), It: { type, parameters, ...more }, Nothing: { type: 'print-variables' } });

const script = (sql: string) => `select 1 as one;\n  ${sql}`;
const calling = text({
  Start: startThen('Call'),
  Call: { type: 'run-transformation', parameters: { transformationJob: 'a' } },
});
const transformation = (components: object): Files => ({
  'main.orch.yaml': calling,
  'a.tran.yaml': text(components),
});
const read = (columns = ['id', 'word', 'zero', 'big'], fold = true) => ({
  type: 'table-input',
  parameters: {
    targetTable: fold ? 'T' : 't',
    columnNames: fold ? columns.map((name) => name.toUpperCase()) : columns,
  },
});
const isOne = (kind: WarehouseKind) => kind === 'WAREHOUSE_ONE';

const scripts: readonly (readonly [string, Host])[] = [
  [
    'a file of an sql-executor',
    (sql) => ({
      'main.orch.yaml': orchestration('sql-executor', { scriptLocation: 'File', fileName: 'sql/a.sql' }),
      'sql/a.sql': script(sql),
    }),
  ],
  [
    'the text of an sql-executor',
    (sql) => ({
      'main.orch.yaml': orchestration('sql-executor', { scriptLocation: 'Component', sqlScript: sql }),
    }),
  ],
  ['an sql-script', (sql) => ({ 'main.orch.yaml': orchestration('sql-script', { sqlScript: sql }) })],
];
const hosts: readonly (readonly [string, Host])[] = [
  ...scripts,
  [
    'query-to-scalar',
    (sql) => ({
      'main.orch.yaml': orchestration('query-to-scalar', {
        mode: 'Advanced',
        query: sql,
        scalarVariableMapping: [],
      }),
    }),
  ],
  [
    'query-to-grid',
    (sql) => ({
      'main.orch.yaml': orchestration('query-to-grid', {
        query: sql,
        gridVariable: 'g',
        gridVariableMapping: [['x', 'c']],
      }),
    }),
  ],
  [
    'table-iterator',
    (sql) => ({
      'main.orch.yaml': orchestration(
        'table-iterator',
        { mode: 'Advanced', query: sql, columnMapping1: [] },
        { iterationTarget: 'Nothing' },
      ),
    }),
  ],
  [
    'free SQL of a transformation',
    (sql) => transformation({ It: { type: 'sql', parameters: { query: sql } } }),
  ],
  [
    'free SQL that a later component reads',
    (sql) =>
      transformation({
        It: { type: 'sql', parameters: { query: sql } },
        Later: { type: 'filter', sources: ['It'], parameters: { filterConditions: [] } },
      }),
  ],
];

/** Runs the SQL in its host; the failure that the engine reports, and its place in the files. */
async function failureOf(schema: TestSchema, files: Files, sql: string, at = 0) {
  const { state } = await schema.run(files);
  const [file = '', content = ''] = Object.entries(files).find(([, body]) => body.includes(sql)) ?? [];
  const before = content.slice(0, content.indexOf(sql) + at).split('\n');
  const place = { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  const step = state.steps.find(({ component }) => component === 'It');
  return { failed: state.failed, step, place, prefix: `${file}:${place.line}:${place.column}: ` };
}

describe.each<WarehouseKind>(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'])('on %s', (kind) => {
  let opened: Awaited<ReturnType<typeof openTestWarehouse>>;
  let schema: TestSchema;
  beforeAll(async () => {
    opened = await openTestWarehouse(kind);
    schema = opened.schema();
    const setUp = [
      'create table t (id decimal(20,0), word varchar(20), zero integer, big decimal(38,0))',
      `insert into t values (1, 'abc', 0, ${'9'.repeat(38)})`,
      'create table twice (k integer)',
      'insert into twice values (1), (1)',
      'create table narrow (w varchar(3))',
      'create table strict (w varchar not null)',
      'create table gone (x integer)',
      `create view orphan as select x from gone${kind === 'WAREHOUSE_TWO' ? ' with no schema binding' : ''}`,
      'drop table gone',
    ];
    const { state } = await schema.run({
      'main.orch.yaml': orchestration('sql-script', { sqlScript: setUp.join(';\n') }),
    });
    if (state.failed !== undefined) throw new Error(state.failed.message);
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  const reasonOf = ({ reason }: Pick<Failure, 'reason'>) =>
    typeof reason === 'string' ? reason : reason[isOne(kind) ? 0 : 1];

  const rows = (list: readonly Failure[], of: typeof hosts) =>
    of.flatMap(([where, host]) => list.map((failure) => [failure.what, where, failure, host] as const));

  test.each([...rows(queries, hosts), ...rows(changes, scripts)])(
    '%s in %s is an error in the words of the SQL',
    async (_what, _where, failure, host) => {
      const { sql } = failure;
      const at = typeof failure.at === 'object' ? failure.at[isOne(kind) ? 0 : 1] : failure.at;
      const { failed, step, place, prefix } = await failureOf(schema, host(sql), sql, at);
      expect(failed).toMatchObject({ component: 'It', place, message: `${prefix}${reasonOf(failure)}` });
      expect(reasonOf(failure)).not.toMatch(foreign);
      expect(failed?.sql?.written?.trim()).toBe(sql);
      expect(step).toMatchObject({
        status: 'FAILED',
        message: failed?.message,
        written: failed?.sql?.written,
      });
      expect(step?.sql).toEqual(failed?.sql?.ran === undefined ? undefined : [failed.sql.ran]);
      // Only what was translated has SQL of the engine.
      const isTranslated = at === undefined && !reasonOf(failure).startsWith('MERGE:');
      if (isTranslated) expect(failed?.sql?.ran).toMatch(/^(?:SELECT|WITH|INSERT|ALTER|CREATE)/);
    },
  );

  const number = `the text 'abc' is not a number`;
  const expressions: readonly (readonly [what: string, expression: string, reason: string, at: number])[] = [
    ['a division by zero', '1 / zero', 'Division by zero', 0],
    ['a bad cast', 'cast(word as integer)', `${number}: the column "${isOne(kind) ? 'WORD' : 'word'}"`, 0],
    ['an overflow', 'big * big', 'overflow: the result of the multiplication has more than 38 digits', 0],
    ['an unknown function', '1 + nope(id)', 'Millrace does not support the function NOPE', 4],
    [
      'an unknown column',
      'nope + 1',
      isOne(kind)
        ? 'column "NOPE" not found; known: "ID", "WORD", "ZERO", "BIG", "FIRST"'
        : 'column "nope" not found; known: "id", "word", "zero", "big", "first"',
      0,
    ],
  ];

  test.each(expressions)(
    '%s in one of three calculations has its place',
    async (_, expression, reason, at) => {
      const calculations = [
        ['id + 1', isOne(kind) ? 'FIRST' : 'first'],
        [expression, 'second'],
        ['id + 2', 'third'],
      ];
      const files = transformation({
        Read: read(undefined, isOne(kind)),
        It: {
          type: 'calculator',
          sources: ['Read'],
          parameters: { includeInputColumns: 'Yes', calculations },
        },
        Later: { type: 'filter', sources: ['It'], parameters: { filterConditions: [] } },
      });
      const { failed, place, prefix } = await failureOf(schema, files, expression, at);
      expect(failed).toMatchObject({
        component: 'It',
        place,
        message: prefix + reason,
        sql: { written: expression },
      });
    },
  );

  test('a calculation that fails because of another calculation has the place of that other calculation', async () => {
    const expression = 'cast(word as integer)';
    const files = transformation({
      Read: read(undefined, isOne(kind)),
      It: {
        type: 'calculator',
        sources: ['Read'],
        parameters: {
          includeInputColumns: 'Yes',
          calculations: [
            [expression, isOne(kind) ? 'NUMBER_1' : 'number_1'],
            ['number_1 + 1', 'next'],
          ],
        },
      },
    });
    const { failed, place } = await failureOf(schema, files, expression);
    expect(failed).toMatchObject({ component: 'It', place, sql: { written: expression } });
  });

  test.each([
    ['a division by zero', '1 / zero', 'Division by zero'],
    ['an unknown function', 'nope(id)', 'Millrace does not support the function NOPE'],
  ])('%s in one of two conditions of a filter has its place', async (_, value, reason) => {
    const name = (column: string) => (isOne(kind) ? column.toUpperCase() : column);
    const filterConditions = [
      [name('zero'), 'Is', 'Equal to', '0'],
      [name('id'), 'Is', 'Greater than', value],
    ];
    const files = transformation({
      Read: read(undefined, isOne(kind)),
      It: { type: 'filter', sources: ['Read'], parameters: { filterConditions, combineCondition: 'And' } },
    });
    const { failed, place, prefix } = await failureOf(schema, files, value);
    expect(failed).toMatchObject({
      component: 'It',
      place,
      message: prefix + reason,
      sql: { written: value },
    });
  });

  test('a join expression that fails has its place', async () => {
    const expression = 'a.id / a.zero = b.id';
    const files = transformation({
      Read: read(undefined, isOne(kind)),
      Other: read(undefined, isOne(kind)),
      It: {
        type: 'join',
        sources: ['Read', 'Other'],
        parameters: {
          mainTable: 'Read',
          mainTableAlias: 'a',
          joins: [['Other', 'b', 'Inner']],
          joinExpressions: [[expression, 'a_Inner_b']],
          columnMappings: [[isOne(kind) ? 'a.ID' : 'a.id', 'x']],
        },
      },
    });
    const { failed, place, prefix } = await failureOf(schema, files, expression);
    expect(failed).toMatchObject({
      component: 'It',
      place,
      message: `${prefix}Division by zero`,
      sql: { written: expression },
    });
  });

  const merge = (joined: string, condition: string, input: object) =>
    transformation({
      Read: input,
      It: {
        type: 'table-update',
        sources: ['Read'],
        parameters: {
          targetTable: isOne(kind) ? 'T' : 't',
          targetAlias: 'x',
          sourceAlias: 'y',
          joinExpression: [[joined]],
          whenMatched: [[condition, 'Update']],
          updateMapping: [isOne(kind) ? ['WORD', 'WORD'] : ['word', 'word']],
          includeNotMatched: 'No',
        },
      },
    });

  test.each([
    ['the join expression', 'x.id / x.zero = y.id', 'x.id > 0', 'x.id / x.zero = y.id'],
    ['a condition', 'x.id = y.id', 'x.id / x.zero > 0', 'x.id / x.zero > 0'],
  ])('%s of a table-update that fails has its place', async (_, joined, condition, failing) => {
    const files = merge(joined, condition, read(undefined, isOne(kind)));
    const { failed, place, prefix } = await failureOf(schema, files, failing);
    expect(failed).toMatchObject({
      component: 'It',
      place,
      message: `${prefix}Division by zero`,
      sql: { written: failing },
    });
  });

  test('a table-update that finds two rows for one has the place of the join expression', async () => {
    const union = { type: 'sql', parameters: { query: 'select * from t union all select * from t' } };
    const { failed } = await failureOf(schema, merge('x.id = y.id', 'x.id > 0', union), 'x.id = y.id');
    expect(failed).toMatchObject({ component: 'It', place: { file: 'a.tran.yaml' } });
    expect(failed?.message).toMatch(/: 1 row of the table matches several rows of the input/);
  });

  test('a component without SQL of its own has its own place', async () => {
    const conversions = [[isOne(kind) ? 'WORD' : 'word', 'DATE', '', '']];
    const files = transformation({
      Read: read(undefined, isOne(kind)),
      It: { type: 'convert-type', sources: ['Read'], parameters: { conversions } },
    });
    const { failed } = await failureOf(schema, files, '"It"');
    const line = (files['a.tran.yaml'] ?? '').split('\n').findIndex((row) => row.includes('"It"')) + 1;
    expect(failed).toMatchObject({ component: 'It', place: { file: 'a.tran.yaml', line } });
    expect(failed?.message).toMatch(
      /^a\.tran\.yaml:\d+:\d+: the text 'abc' is not a date: expected YYYY-MM-DD$/,
    );
    expect(failed?.sql?.ran).toMatch(/^WITH |^SELECT /);
  });
});
