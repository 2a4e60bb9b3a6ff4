import { appendFileSync, cpSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeBlocks } from './code-blocks.ts';
import { inProcess } from './in-process.ts';
import { testFolder } from './tests/test-project.ts';

const [csv = ''] = codeBlocks('outside-tables.md', 'csv');

test('the example of docs/outside-tables.md: after the import, compile knows the tables', async () => {
  using folder = testFolder();
  const cwd = folder.directory;
  cpSync('examples/warehouse', cwd, { recursive: true });
  for (const file of globSync('**/*.test.yaml', { cwd })) rmSync(join(cwd, file));
  folder.write('columns.csv', csv);
  const run = (...words: string[]) => inProcess(words, { cwd });
  const words = ['schemas', 'import', 'columns.csv', '--environment-default', 'PROD.PUBLIC'];
  const imported = await run(...words);
  const [shown = ''] = codeBlocks('outside-tables.md', '');
  expect(imported).toEqual({ code: 0, stderr: '', stdout: shown.replace(/^\$ .*\n/, '') });
  expect(folder.read('schemas/PROD.PUBLIC.yaml')).toBe(
    `# The columns of tables from outside the project. \`millrace schemas import\` writes this file, and replaces it with --force.
LEDGER:
  ACCOUNT: VARCHAR
  CURRENCY: VARCHAR(3)
  MONTH: VARCHAR(7)
  POSTED_ON: DATE
  AMOUNT: NUMBER(12,2)
RATES:
  CURRENCY: VARCHAR(3)
  TARGET: VARCHAR(3)
  RATE: NUMBER(12,4)
  PLACE: unknown # GEOGRAPHY
`,
  );
  appendFileSync(join(cwd, 'millrace.yaml'), "schemas: ['schemas/*.yaml']\n");
  const compiled = JSON.parse((await run('compile', '--json')).stdout) as object;
  expect(compiled).toMatchObject({ findings: [], reads: { bound: 15, total: 17 } });
});

test('a file that exists is replaced only with --force, and by another content; --dry-run writes nothing', async () => {
  using folder = testFolder({
    'millrace.yaml': 'version: 1\nschemas: [schemas/*.yaml]\n',
    'columns.csv': csv,
  });
  const run = (...words: string[]) =>
    inProcess(['schemas', 'import', 'columns.csv', '--all', ...words], { cwd: folder.directory });
  expect((await run('--dry-run')).stdout).toContain(
    'created    schemas/PROD.PUBLIC.yaml  3 tables, 10 columns',
  );
  expect(folder.has('schemas')).toBe(false);
  expect((await run()).code).toBe(0);
  // A pattern would match millrace.yaml too.
  expect((await run('--dry-run', '--output', '.')).stdout).toContain("\n  schemas: ['PROD.PUBLIC.yaml']\n");
  expect((await run()).stdout).toContain('unchanged  schemas/PROD.PUBLIC.yaml');
  const other = ['--environment-default', 'PROD.PUBLIC'];
  const refused = {
    code: 2,
    stderr: expect.stringContaining('schemas/PROD.PUBLIC.yaml exists already, with another content'),
  };
  expect(await run(...other)).toMatchObject(refused);
  expect(await run(...other, '--dry-run')).toMatchObject(refused);
  expect((await run(...other, '--dry-run', '--force')).stdout).toContain(
    'replaced   schemas/PROD.PUBLIC.yaml',
  );
  expect(folder.read('schemas/PROD.PUBLIC.yaml')).toContain('PROD.PUBLIC.WEATHER_2019:');
  const replaced = JSON.parse((await run(...other, '--force', '--json')).stdout) as object;
  expect(replaced).toMatchObject({
    files: [{ path: 'schemas/PROD.PUBLIC.yaml', change: 'replaced', tables: 3, columns: 10 }],
    reads: { bound: 0, total: 0, lacking: [] },
  });
  expect(folder.read('schemas/PROD.PUBLIC.yaml')).toContain('\nWEATHER_2019:');
});

test('mistakes of an import have their place, and nothing is written', async () => {
  using folder = testFolder({
    'millrace.yaml': 'version: 1\n',
    'latin.csv': Buffer.from('TABLE_SCHEMA,TABLE_NAME,COLUMN_NAME,DATA_TYPE\nS,T,\xe9,DATE\n', 'latin1'),
    'columns.csv': csv,
  });
  const run = async (...words: string[]) => {
    const { code, stderr } = await inProcess(['schemas', 'import', ...words], { cwd: folder.directory });
    return [code, stderr.split('\n')[0]];
  };
  expect(await run('latin.csv')).toEqual([2, expect.stringMatching(/^error: latin\.csv:2:5: .*UTF-8/)]);
  expect(await run('none.csv')).toEqual([2, 'error: FILE: The file none.csv does not exist.']);
  expect(await run('columns.csv', '--output', '../other')).toEqual([
    2,
    'error: --output: The folder ../other is outside of the project, so millrace.yaml cannot name its files.',
  ]);
  expect(await run('columns.csv', '--environment-default', 'PROD')).toEqual([
    2,
    'error: --environment-default: "PROD" is not a database and a schema.',
  ]);
  expect(await run('columns.csv', '--environment-default', 'prod.public')).toEqual([
    2,
    'error: --environment-default: The export has no table in prod.public; did you mean "PROD.PUBLIC"?',
  ]);
  expect(folder.has('schemas')).toBe(false);
});
