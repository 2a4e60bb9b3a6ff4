import { describe, expect, test } from 'vitest';
import { diffProject } from './diff-project.ts';

/** One value of a table, by expressions over the text `V`, and null. */
interface Retyped {
  readonly before: string;
  readonly after: string;
  readonly values: readonly string[];
}

/** Fills a table for each of them. */
const filled = (tables: readonly { readonly expression: string; readonly values: readonly string[] }[]) => {
  const statements = tables.map(({ expression, values }, index) => {
    const rows = [...values.map((value) => `'${value}'`), 'NULL'].map((value, id) => `(${id}, ${value})`);
    return `CREATE TABLE T${index} AS SELECT ID, ${expression} AS V FROM (SELECT column1 AS ID, column2 AS V FROM (VALUES ${rows.join()}))`;
  });
  return `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill:
      type: sql-executor
      parameters:
        scriptLocation: Component
        sqlScript: |
${statements.map((statement) => `          ${statement};\n`).join('')}`;
};

const items = 'items.orch.yaml';
const files = { 'items.test.yaml': 'pipeline: items\ntests: [{ name: fills, expect: { ran: [Fill] } }]\n' };

/** How each of the tables changes. */
async function changesOf(all: readonly Retyped[]) {
  const side = (name: 'before' | 'after') =>
    filled(all.map(({ [name]: expression, values }) => ({ expression, values })));
  using folder = diffProject({ ...files, [items]: side('before') });
  folder.write(items, side('after'));
  const { changes } = await folder.diff(items);
  return all.map(({ before, after, values }, index) => {
    const table = changes[0]?.tables.find((one) => one.table === `T${index}`);
    const { added, removed, changed, columns = [] } = table ?? {};
    return { before, after, values, added, removed, changed, retyped: columns.map(({ name }) => name) };
  });
}

test('a view whose table has got a column cannot be compared', async () => {
  const made = filled([{ expression: 'V', values: ['a'] }]);
  const viewed = `${made}          CREATE VIEW W AS SELECT * FROM T0;\n`;
  using folder = diffProject({ ...files, [items]: viewed });
  folder.write(items, `${viewed}          ALTER TABLE T0 ADD COLUMN Z INT;\n`);
  const { changes } = await folder.diff(items);
  const view = changes[0]?.tables.find(({ table }) => table === 'W');
  expect(view?.unknown).toContain('the view "W" cannot be read');
});

describe('a column with another type', () => {
  const number = 'V::NUMBER(10,2)';
  const json = 'PARSE_JSON(V)';

  test('is reported, and rows with equal values do not count as changed', async () => {
    const equal: Retyped[] = [
      { before: 'V::DATE', after: 'V::DATE::TIMESTAMP', values: ['2026-01-02', '1969-12-31'] },
      {
        before: 'V::TIMESTAMP',
        after: 'V::TIMESTAMP::TIMESTAMP_TZ',
        values: ['2026-01-02 03:04:05.5', '2026-01-02'],
      },
      { before: 'V::DATE', after: 'V::DATE::TIMESTAMP::TIMESTAMP_TZ', values: ['2026-01-02'] },
      { before: 'V::DATE', after: 'V::DATE::VARCHAR', values: ['2026-01-02'] },
      {
        before: 'V::TIMESTAMP',
        after: 'V::TIMESTAMP::VARCHAR',
        values: ['2026-01-02 03:04:05.5', '2026-01-02'],
      },
      { before: 'V::TIMESTAMP_LTZ', after: 'V::TIMESTAMP_LTZ::VARCHAR', values: ['2026-01-02 03:04:05'] },
      { before: 'V::TIME', after: 'V::TIME::VARCHAR', values: ['03:04:05', '23:59:59'] },
      { before: number, after: `(${number})::VARCHAR`, values: ['1.50', '-0.05', '100'] },
      { before: 'V', after: number, values: ['1.50', '2.5', '0.00'] },
      { before: number, after: 'V::FLOAT', values: ['1.50', '0.10'] },
      { before: 'V::FLOAT', after: 'V::FLOAT::VARCHAR', values: ['1.5', '1e30', '1e-9', 'NaN', '-inf'] },
      { before: 'V::NUMBER(38,0)', after: 'V', values: ['12345678901234567890', '-7'] },
      { before: 'V::BOOLEAN', after: 'V::BOOLEAN::VARCHAR', values: ['true', 'false'] },
      { before: 'V', after: json, values: ['{"b": [1, 2.50], "a": "x"}', '[12345678901234567890]', '1'] },
      { before: 'V', after: 'TO_VARIANT(V)', values: ['x', '1.50', 'true', '2026-01-02', '', '{"a": 1}'] },
      { before: json, after: `${json}::NUMBER(10,2)`, values: ['1.5', '"2"'] },
      { before: json, after: `${json}::BOOLEAN`, values: ['true', 'false'] },
      { before: json, after: `${json}::DATE`, values: ['"2026-01-02"'] },
    ];
    expect(await changesOf(equal)).toEqual(
      equal.map((one) => ({ ...one, added: 0, removed: 0, changed: 0, retyped: ['V'] })),
    );
  });

  test('counts a row as changed where the values are not equal', async () => {
    const different: Retyped[] = [
      { before: 'V::TIMESTAMP::DATE', after: 'V::TIMESTAMP', values: ['2026-01-02 00:00:01'] },
      { before: 'V', after: 'V::NUMBER', values: ['007'] },
      { before: 'V', after: 'V::NUMBER', values: [' 1'] },
      { before: 'V', after: 'V::NUMBER', values: ['+1'] },
      { before: 'V', after: 'V::NUMBER(10,1)', values: ['1.55'] },
      { before: 'V', after: 'V::FLOAT', values: ['1e3'] },
      { before: 'V', after: 'V::BOOLEAN', values: ['yes'] },
      { before: 'V::BOOLEAN', after: 'V::BOOLEAN::NUMBER', values: ['true'] },
      { before: 'V', after: "TO_VARIANT(V || '0')", values: ['1.5'] },
      { before: json, after: `${json}::VARCHAR || '.0'`, values: ['1'] },
      { before: 'V', after: "NULLIF(TO_VARIANT(V), '')", values: [''] },
    ];
    expect(await changesOf(different)).toEqual(
      different.map((one) => ({ ...one, added: 0, removed: 0, changed: 1, retyped: ['V'] })),
    );
  });

  test('has a name whose invisible characters are shown', async () => {
    const table = (name: string) =>
      filled([]).concat(`          CREATE TABLE ITEMS AS SELECT 1 AS "${name}"\n`);
    using folder = diffProject({ ...files, [items]: table('a') });
    folder.write(items, table('a\u200b'));
    expect((await folder.text(items)).stdout).toContain(String.raw`a\u{200b}`);
  });

  test('finds its rows again as the key of the table', async () => {
    const table =
      'CREATE TABLE ITEMS AS SELECT ID, V FROM (SELECT column1 AS ID, 1 AS V FROM (VALUES (1), (2)))';
    const script = filled([]).concat(`          ${table}\n`);
    using folder = diffProject({ ...files, [items]: script });
    folder.write(items, script.replace('SELECT ID', 'SELECT ID::VARCHAR AS ID'));
    expect((await folder.diff(items)).changes[0]?.tables).toMatchObject([
      { key: ['ID'], added: 0, removed: 0, changed: 0, columns: [{ name: 'ID' }] },
    ]);
  });
});

test('a view in place of a table with the same rows does not count as a change', async () => {
  const create = (what: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill: { type: sql-script, parameters: { sqlScript: "CREATE ${what} T AS SELECT 1 AS ID, 1.5 AS V" } }
`;
  using folder = diffProject({ ...files, [items]: create('TABLE') });
  folder.write(items, create('VIEW'));
  expect(await folder.diff(items)).toMatchObject({ compared: 1, changes: [] });
});

test('a moment without an offset is shown as the type that was written', async () => {
  const moments = [
    ["'2026-01-02 03:04:05'::TIMESTAMP_TZ", 'TIMESTAMP_TZ'],
    ["'2026-01-02 03:04:05 +0000'::TIMESTAMP_TZ", 'TIMESTAMP_TZ'],
    ["'2026-01-02 03:04:05'::TIMESTAMP::TIMESTAMP_TZ", 'TIMESTAMP_TZ'],
    ["'2026-01-02 03:04:05'::TIMESTAMP_LTZ", 'TIMESTAMP_LTZ'],
    ["'2026-01-02 03:04:05'::TIMESTAMP_LTZ::TIMESTAMP_TZ", 'TIMESTAMP_TZ'],
    ['CURRENT_TIMESTAMP()', 'TIMESTAMP_LTZ'],
  ] as const;
  const side = (of: (moment: string) => string) =>
    filled(moments.map(([moment]) => ({ expression: of(moment), values: ['x'] })));
  using folder = diffProject({ ...files, [items]: side(() => 'V') });
  folder.write(
    items,
    side((moment) => moment),
  );
  const { changes } = await folder.diff(items);
  const types = changes.flatMap(({ tables }) =>
    tables.flatMap(({ columns }) => columns.map(({ after }) => after)),
  );
  expect(types).toEqual(moments.map(([, type]) => type));
});
