import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultSeed, type Seed } from '../../../platform/index.ts';
import { serve } from '../child.ts';
import { runExecution } from '../world/run-execution.ts';
import { form } from '../talk.ts';

const script = (sql: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Run] } }
    Run: { type: sql-script, parameters: { sqlScript: ${JSON.stringify(sql)} } }
`;
const random = (rows: number) => `select random()::float as r from n a cross join n b where a.n <= ${rows}`;
const files = {
  'fill.orch.yaml': script(
    `create table n as with recursive r as (select 1 as n union all select n + 1 from r where n < 600) select n from r;
     create table kept as ${random(206)}; create table more as ${random(90)};
     delete from kept where r < 0.6; delete from kept where r < 0.6`,
  ),
  'read.orch.yaml': script('select count(*) from kept'),
};

const seed: Seed = {
  ...defaultSeed,
  settings: { execution: 'engine', componentTime: 0, databaseLimit: '2MB' },
};

test('after the database file could not be written, the next execution opens it again', async () => {
  const data = mkdtempSync(join(tmpdir(), 'platform-disk-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  // No file becomes larger than 1.2 MB, as on a full disk. The first table and the log fit into their files; the second
  // one does not, when the log of the DELETE has reached the limit, so that free space is needed.
  await using platform = await serve(data, `trap '' XFSZ; ulimit -f 2400;`, seed);
  const version = { versionName: '1', environmentName: 'dev', commitHash: 'abc' };
  await platform.send('POST', `${platform.project}/artifacts`, form(files), version);

  expect(await runExecution(platform, 'fill')).toMatchObject({
    status: 'FAILED',
    message: expect.stringContaining('the database file could not be written') as unknown,
  });
  expect((await runExecution(platform, 'read')).message).toBe('2 components ran.');
});
