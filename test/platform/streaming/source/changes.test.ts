import { describe, expect, test } from 'vitest';
import { missingPostgres } from '../../../environment/postgres.ts';
import { testPostgres } from '../../../environment/postgres-database.ts';
import { brief, copied, follow, publicTable } from './follow.ts';

const reason = missingPostgres === undefined ? '' : ` (skipped, no PostgreSQL: ${missingPostgres})`;

describe.skipIf(missingPostgres !== undefined)(`the changes of a PostgreSQL server${reason}`, () => {
  const postgres = testPostgres();

  test('inserts, updates, deletes and a changed key arrive in their transaction', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY, name text)');
    await using followed = await follow(database.address(), [publicTable('items')]);
    const before = Date.now() * 1000;
    await database.sql(`
      BEGIN; INSERT INTO items VALUES (1, 'a'), (2, NULL); UPDATE items SET name = 'b' WHERE id = 1; COMMIT;
      BEGIN; UPDATE items SET id = 3 WHERE id = 1; DELETE FROM items WHERE id = 2; COMMIT;`);
    const [first, second] = await followed.take(2);
    expect(first?.changes.map(brief)).toEqual([
      ['insert', ['1', 'a']],
      ['insert', ['2', null]],
      ['update', undefined, ['1', 'b']],
    ]);
    expect(second?.changes.map(brief)).toEqual([
      ['update', ['1', null], ['3', 'b']],
      ['delete', ['2', null]],
    ]);
    const commit = first?.commit ?? { position: 0n, end: 0n, committedAt: 0n };
    expect(commit.end).toBeGreaterThan(commit.position);
    expect(second?.commit.position).toBeGreaterThanOrEqual(commit.end);
    expect(Number(commit.committedAt)).toBeGreaterThan(before - 5_000_000);
    expect(Number(commit.committedAt)).toBeLessThan(before + 60_000_000);
    expect(followed.stream.serverEnd).toBeGreaterThanOrEqual(commit.end);
  });

  test('a large value that did not change is undefined; with a whole old row it is the value', async () => {
    const database = await postgres.database();
    await database.sql(`
      CREATE TABLE keyed (id int PRIMARY KEY, large text, n int);
      CREATE TABLE whole (id int PRIMARY KEY, large text, n int);
      ALTER TABLE keyed ALTER large SET STORAGE EXTERNAL; ALTER TABLE whole ALTER large SET STORAGE EXTERNAL;
      ALTER TABLE whole REPLICA IDENTITY FULL;
      INSERT INTO keyed SELECT 1, repeat('x', 10000), 1; INSERT INTO whole SELECT 1, repeat('y', 10000), 1;`);
    const tables = [publicTable('keyed'), publicTable('whole')];
    await using followed = await follow(database.address(), tables);
    await database.sql('UPDATE keyed SET n = 2; ');
    await database.sql('UPDATE whole SET n = 2');
    await database.sql('UPDATE keyed SET id = 5');
    await database.sql('DELETE FROM whole');
    const large = 'y'.repeat(10_000);
    const changes = (await followed.take(4)).flatMap((transaction) => transaction.changes.map(brief));
    expect(changes).toEqual([
      ['update', undefined, ['1', undefined, '2']],
      ['update', ['1', large, '1'], ['1', large, '2']],
      ['update', ['1', null, null], ['5', undefined, '2']],
      ['delete', ['1', large, '2']],
    ]);
  });

  test('without a key, REPLICA IDENTITY FULL gives whole old rows, and an index its columns', async () => {
    const database = await postgres.database();
    await database.sql(`
      CREATE TABLE whole (a int, b text); ALTER TABLE whole REPLICA IDENTITY FULL;
      CREATE TABLE indexed (a int, b int NOT NULL); CREATE UNIQUE INDEX by_b ON indexed (b);
      ALTER TABLE indexed REPLICA IDENTITY USING INDEX by_b;
      CREATE TABLE noted (a int); ALTER TABLE noted REPLICA IDENTITY NOTHING;`);
    const tables = [publicTable('whole'), publicTable('indexed'), publicTable('noted')];
    await using followed = await follow(database.address(), tables);
    await database.sql(`
      BEGIN; INSERT INTO whole VALUES (1, 'a'), (1, 'a'); INSERT INTO indexed VALUES (1, 2); INSERT INTO noted VALUES (9);
      UPDATE whole SET b = 'b'; DELETE FROM whole; DELETE FROM indexed; COMMIT`);
    const [transaction] = await followed.take(1);
    expect(transaction?.changes.map(brief)).toEqual([
      ['insert', ['1', 'a']],
      ['insert', ['1', 'a']],
      ['insert', ['1', '2']],
      ['insert', ['9']],
      ['update', ['1', 'a'], ['1', 'b']],
      ['update', ['1', 'a'], ['1', 'b']],
      ['delete', ['1', 'b']],
      ['delete', ['1', 'b']],
      ['delete', [null, '2']],
    ]);
    const [described] = await followed.source.describe(tables.slice(1, 2));
    expect(described?.columns.map(({ isKey }) => isKey)).toEqual([false, true]);
  });

  test('a truncate of two tables is one change', async () => {
    const database = await postgres.database();
    await database.sql(
      'CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY REFERENCES a)',
    );
    await using followed = await follow(database.address(), [publicTable('a'), publicTable('b')]);
    await database.sql('TRUNCATE a, b RESTART IDENTITY CASCADE');
    const [transaction] = await followed.take(1);
    expect(transaction?.changes.map(brief)).toEqual([['truncate', 'a', 'b']]);
  });

  test('after a change of the table, its new columns arrive before its next row', async () => {
    const database = await postgres.database();
    await database.sql('CREATE TABLE items (id int PRIMARY KEY, name text, old int)');
    await using followed = await follow(database.address(), [publicTable('items')]);
    await database.sql(`INSERT INTO items VALUES (1, 'a', 7)`);
    await database.sql('ALTER TABLE items ADD COLUMN price numeric(10, 2) DEFAULT 1, DROP COLUMN old');
    await database.sql(`
      BEGIN; INSERT INTO items VALUES (2, 'b'); ALTER TABLE items RENAME name TO title;
      ALTER TABLE items ALTER id TYPE bigint; UPDATE items SET title = 'c' WHERE id = 2; COMMIT`);
    const [first, second] = await followed.take(2);
    expect(first?.changes.map(brief)).toEqual([['insert', ['1', 'a', '7']]]);
    // The table that a changed type writes again has rows of its own, which are not changes.
    expect(second?.changes.map(brief)).toEqual([
      ['insert', ['2', 'b', '1.00']],
      ['update', undefined, ['2', 'c', '1.00']],
    ]);
    const relations = second?.changes.map((change) =>
      change.kind === 'update' ? change.relation : undefined,
    );
    expect(relations?.at(-1)?.columns.map(({ name, typeId }) => [name, typeId])).toEqual([
      ['id', 20],
      ['title', 25],
      ['price', 1700],
    ]);
  });

  test('a partitioned table has the rows of its partitions, in the snapshot and in the changes', async () => {
    const database = await postgres.database();
    await database.sql(`
      CREATE TABLE sales (id int, day date, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
      CREATE TABLE sales_1 PARTITION OF sales FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
      CREATE TABLE sales_2 PARTITION OF sales FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
      INSERT INTO sales VALUES (1, '2026-01-05'), (2, '2026-02-05');`);
    const sales = publicTable('sales');
    await using followed = await follow(database.address(), [sales]);
    expect(await copied(followed.slot, sales, ['id', 'day'])).toEqual([
      ['1', '2026-01-05'],
      ['2', '2026-02-05'],
    ]);
    await database.sql(`UPDATE sales SET day = '2026-02-06' WHERE id = 1`);
    const [transaction] = await followed.take(1);
    // A row that moves to another partition is deleted in one and inserted in the other.
    expect(transaction?.changes.map(brief)).toEqual([
      ['delete', ['1', '2026-01-05']],
      ['insert', ['1', '2026-02-06']],
    ]);
    expect(transaction?.changes.map((change) => ('relation' in change ? change.relation.table : ''))).toEqual(
      ['sales', 'sales'],
    );
  });

  test('tables that inherit from a table are not part of it', async () => {
    const database = await postgres.database();
    await database.sql(`
      CREATE TABLE parent (id int PRIMARY KEY); CREATE TABLE child (PRIMARY KEY (id)) INHERITS (parent);
      INSERT INTO parent VALUES (1); INSERT INTO child VALUES (2)`);
    await using followed = await follow(database.address(), [publicTable('parent')]);
    expect(await copied(followed.slot, publicTable('parent'), ['id'])).toEqual([['1']]);
    await database.sql('INSERT INTO child VALUES (3)');
    await database.sql('INSERT INTO parent VALUES (4)');
    const [transaction] = await followed.take(1);
    expect(transaction?.changes.map(brief)).toEqual([['insert', ['4']]]);
  });

  test('odd names and values are equal in the snapshot and in the changes', async () => {
    const database = await postgres.database();
    const table = { schema: 'Größe "1"', table: 'Order Items; --' };
    const quoted = '"Größe ""1"""."Order Items; --"';
    const columns = ['id', 'Preis "€"', "it's", 'a\\b', '\t'];
    await database.sql(`
      CREATE SCHEMA "Größe ""1""";
      CREATE TABLE ${quoted} (id int PRIMARY KEY, "Preis ""€""" text, "it's" text, "a\\b" text, "\t" text)`);
    const rows = [
      ['1', '', null, '\\N', '\\'],
      ['2', 'a\tb', 'a\nb', 'a\r\nb', '\\.'],
      ['3', '😀', '\u0001\u007f\b\f\v', "'", '"'],
      ['4', '\\x41', 'NULL', '{"a": "\\n"}', ' \u2028 '],
    ];
    const literal = (cell: string | null) => (cell === null ? 'NULL' : `'${cell.replaceAll("'", "''")}'`);
    const insert = `INSERT INTO ${quoted} VALUES ${rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ')}`;
    await database.sql(insert);
    await using followed = await follow(database.address(), [table]);
    expect(await copied(followed.slot, table, columns)).toEqual(rows);
    await database.sql(`DELETE FROM ${quoted}`);
    await database.sql(insert);
    const [, inserted] = await followed.take(2);
    expect(inserted?.changes.map(brief)).toEqual(rows.map((row) => ['insert', row]));
    const [described] = await followed.source.describe([table]);
    expect(described?.columns.map(({ name }) => name)).toEqual(columns);
  });

  test('values are written in one form, whatever the settings of the role are', async () => {
    const database = await postgres.database();
    await database.sql(`
      CREATE TABLE public.forms (id int PRIMARY KEY, at timestamptz, span interval, bytes bytea, f float8, r regclass, ok boolean, list text[]);
      INSERT INTO public.forms VALUES (1, '2026-01-02 03:04:05.678901+00', '1 day 2 hours', decode('00ff', 'hex'), 0.1::float8 + 0.2, 'public.forms', true, '{a,NULL}')`);
    await database.admin(`
      ALTER DATABASE ${database.name} SET datestyle = 'German'; ALTER DATABASE ${database.name} SET TimeZone = 'Asia/Tokyo';
      ALTER DATABASE ${database.name} SET intervalstyle = 'sql_standard'; ALTER DATABASE ${database.name} SET bytea_output = 'escape';
      ALTER DATABASE ${database.name} SET extra_float_digits = 0; ALTER DATABASE ${database.name} SET client_encoding = 'LATIN1';
      ALTER DATABASE ${database.name} SET statement_timeout = '1ms'; ALTER DATABASE ${database.name} SET standard_conforming_strings = off`);
    const columns = ['id', 'at', 'span', 'bytes', 'f', 'r', 'ok', 'list'];
    const row = [
      '1',
      '2026-01-02 03:04:05.678901+00',
      '1 day 02:00:00',
      '\\x00ff',
      '0.30000000000000004',
      'public.forms',
      't',
      '{a,NULL}',
    ];
    await using followed = await follow(database.address(), [publicTable('forms')]);
    expect(await copied(followed.slot, publicTable('forms'), columns)).toEqual([row]);
    await database.sql('UPDATE public.forms SET id = 2');
    const [transaction] = await followed.take(1);
    expect(transaction?.changes).toMatchObject([{ kind: 'update', after: ['2', ...row.slice(1)] }]);
  });

  test('generated columns are neither described nor sent', async () => {
    const database = await postgres.database();
    await database.sql(
      'CREATE TABLE items (id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED)',
    );
    await using followed = await follow(database.address(), [publicTable('items')]);
    const [described] = await followed.source.describe([publicTable('items')]);
    expect(described?.columns.map(({ name }) => name)).toEqual(['id']);
    await database.sql('INSERT INTO items VALUES (3)');
    const [transaction] = await followed.take(1);
    expect(transaction?.changes.map(brief)).toEqual([['insert', ['3']]]);
  });
});
