import { once } from 'node:events';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filtered, pipeline } from './diff-project.ts';
import { foldersOf, samplesProject, script, scriptWithName } from './samples-project.ts';

const big = (rows: number) =>
  `SELECT i AS id, DATE '2026-01-01' + CAST(i % 1000 AS INTEGER) AS day, CAST(i % 1000 AS DECIMAL(10,2)) AS amount, 'note ' || i AS note FROM range(${rows}) AS t(i)`;

test('a million rows are compared by key with 200 MB of memory, and the counts are exact', async () => {
  using folder = samplesProject();
  await folder.sample({ 'staging_orders.parquet': big(1_000_000) });
  folder.write(pipeline, filtered(99));
  const { tables } = await folder.givenDiff('--memory', '200MB');
  expect(tables).toMatchObject([
    { key: ['id'], rowsBefore: 1_000_000, rowsAfter: 900_000, added: 0, removed: 100_000, changed: 0 },
  ]);
  expect(folder.left()).toEqual([]);
}, 300_000);

test('Ctrl-C removes the rows from the disk', async () => {
  using folder = samplesProject();
  await folder.sample({ 'staging_orders.parquet': big(3_000_000) });
  folder.write(pipeline, filtered(99));
  const main = path.resolve(import.meta.dirname, '../../../cli/main.ts');
  const child = spawn(process.execPath, [main, 'diff', '--given', 'samples'], {
    cwd: folder.repository.directory,
  });
  const ended = once(child, 'exit');
  while (foldersOf(child.pid).length === 0 && child.exitCode === null) await setTimeout(20);
  expect(foldersOf(child.pid)).toHaveLength(1);
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(foldersOf(child.pid)).toEqual([]);
}, 300_000);

const statements = [
  'CREATE OR REPLACE TABLE T AS SELECT CAST(NAME AS NUMBER) AS N FROM S',
  'CREATE OR REPLACE TABLE T AS SELECT TO_DATE(NAME) AS N FROM S',
  'CREATE OR REPLACE TABLE T AS SELECT CAST(NAME AS BOOLEAN) AS N FROM S',
  'CREATE OR REPLACE TABLE T AS SELECT PARSE_JSON(NAME) AS N FROM S',
  'CREATE OR REPLACE TABLE T AS SELECT CAST(NAME AS VARCHAR(3)) AS N FROM S',
  'CREATE OR REPLACE TABLE T AS SELECT TO_TIMESTAMP(NAME) AS N FROM S',
  'CREATE OR REPLACE TABLE T AS SELECT NAME AS N, 1 / (ID - 1) AS M FROM S',
  'CREATE OR REPLACE TABLE "T_${one}" AS SELECT ID AS "${one}" FROM S',
  "CREATE OR REPLACE TABLE T AS SELECT '${one}' + 1 AS N",
  'CREATE OR REPLACE TABLE T AS SELECT ${one} AS N FROM S',
  'CREATE OR REPLACE TABLE T AS SELECT N FROM "${one}"',
  'CREATE OR REPLACE VIEW T AS SELECT CAST(NAME AS NUMBER) AS N FROM S',
  "CREATE OR REPLACE TABLE T AS SELECT ID, NAME || 'x' AS NAME FROM S",
  'CREATE OR REPLACE TABLE T AS SELECT REGEXP_REPLACE(ID, NAME) AS N FROM S',
].map((sql) => scriptWithName(sql));

test('no value of a row is in any output, whatever the pipeline does with it', async () => {
  using folder = samplesProject({
    'a.orch.yaml': script('CREATE OR REPLACE TABLE T AS SELECT ID, NAME FROM S'),
  });
  const secret = fc.stringMatching(/^[A-Z]{3}[A-Za-z0-9"'.:()@ -]{6,20}[A-Z]{3}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(secret, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...statements),
      fc.constantFrom([], ['--json'], ['--format', 'markdown'], ['--verbose']),
      async (secrets, text, args) => {
        const values = secrets.map((value, index) => `(${index + 1}, '${value.replaceAll("'", "''")}')`);
        await folder.sample({
          'S.parquet': `SELECT * FROM (VALUES ${values.join(', ')}) AS t("ID", "NAME")`,
        });
        folder.write('a.orch.yaml', text);
        const { stdout, stderr } = await folder.given('a.orch.yaml', ...args);
        const output = (stdout + stderr).toLowerCase();
        expect(stdout).not.toBe('');
        for (const value of secrets) expect(output).not.toContain(value.toLowerCase());
        // The longest word of a value, too: a message may have only a part.
        for (const word of secrets.flatMap((value) => value.match(/[A-Za-z0-9]{9,}/g) ?? []))
          expect(output).not.toContain(word.toLowerCase());
      },
    ),
    { numRuns: 60, seed: 45 },
  );
  expect(folder.left()).toEqual([]);
}, 600_000);
