import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setStage } from './stage.ts';

test('audit prints entries as NDJSON or CSV, keeps its place, and says what is wrong with a time', async () => {
  await using stage = await setStage();
  await stage.run(['publish', '--version', '1', '--environment', 'dev']);

  const first = await stage.run(['audit', '--from', '1h', '--cursor', 'place.json']);
  expect(first.code).toBe(0);
  const names = first.stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { eventName: string }).eventName);
  expect(names).toContain('Artifact created');
  expect(JSON.parse(readFileSync(path.join(stage.work.directory, 'place.json'), 'utf8'))).toMatchObject({
    version: 1,
  });

  const again = await stage.run(['audit', '--cursor', 'place.json']);
  expect(again).toMatchObject({ code: 0, stdout: '' });

  const csv = await stage.run(['audit', '--format', 'csv']);
  expect(csv.stdout).toMatch(/^eventId,eventName,.*\n.*Artifact created/);

  expect(await stage.run(['audit', '--from', 'yesterday'])).toMatchObject({ code: 2, stdout: '' });
  stage.work.write('place.json', '{}');
  const wrong = await stage.run(['audit', '--cursor', 'place.json']);
  expect(wrong).toMatchObject({ code: 2, stdout: '' });
  expect(wrong.stderr).toContain('place.json does not hold a position in an audit log.');
});

test('a member is told that the audit log is for Super Admins', async () => {
  await using stage = await setStage();
  const refused = await stage.run(['audit'], { MILLRACE_TOKEN: stage.platform.tokens.member });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('forbidden');
});

test('following ends with Ctrl-C in 0, after what came until then', async () => {
  await using stage = await setStage();
  await stage.run(['publish', '--version', '1', '--environment', 'dev']);
  await using running = stage.start(['audit', '--follow', '--every', '1s']);
  await running.until('stdout', /Artifact created/);
  running.send('SIGINT');
  expect(await running.ended).toMatchObject({ code: 0 });
});
