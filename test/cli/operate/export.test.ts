import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testRedis } from '../../environment/redis.ts';
import {
  createTestEnvironment,
  ended,
  pushed,
  release,
  twoLanes,
} from '../../environment/worker/lanes-at-work.ts';
import { webhookSecret, workerToken } from '../../environment/worker/worker-environment.ts';
import { inProcess } from '../in-process.ts';
import { recordFormat } from '../../../worker/records/record-format.ts';

const redis = testRedis();

type Line = Readonly<Record<string, unknown>> & { readonly type: string };

function createFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const commandLine = (url: string, cwd: string) => (args: readonly string[]) =>
  inProcess(['export', ...args], {
    env: { MILLRACE_WORKER_URL: url, MILLRACE_WORKER_TOKEN: workerToken },
    cwd,
  });

test('`millrace export` writes lanes, promotions, histories and the audit, and with --since only what is new', async () => {
  const { env, worker } = await createTestEnvironment(redis, { lanes: twoLanes });
  const folder = createFolder();
  const millrace = commandLine(worker.url, folder);
  const linesOf = (file: string): readonly Line[] =>
    readFileSync(path.join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as Line);
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-prod', 'v1.0.0');
  const first = await millrace(['--out', 'all.ndjson']);
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^all\.ndjson: 2 lanes, 2 promotions, /),
  });
  const all = linesOf('all.ndjson');
  const ofType = (lines: readonly Line[], type: string): readonly Line[] =>
    lines.filter((line) => line.type === type);
  expect(all[0]).toMatchObject({ type: 'export', format: recordFormat, since: null });
  expect(ofType(all, 'lane')).toMatchObject([{ name: 'to-prod' }, { name: 'to-test' }]);
  expect(ofType(all, 'promotion')).toMatchObject([
    { laneName: 'to-test', version: 'v1.0.0', outcome: 'passed' },
    { laneName: 'to-prod', version: 'v1.0.0', outcome: 'passed' },
  ]);
  const [{ id } = expect.unreachable()] = ofType(all, 'promotion');
  const events = ofType(all, 'event');
  expect(events).toContainEqual(expect.objectContaining({ promotion: id, what: 'intend-promote' }));
  expect(all.at(-1)).toEqual({
    type: 'end',
    lanes: 2,
    promotions: 2,
    events: events.length,
    audit: ofType(all, 'audit').length,
  });
  const text = readFileSync(path.join(folder, 'all.ndjson'), 'utf8');
  for (const secret of [workerToken, webhookSecret, env.platform.tokens.admin])
    expect(text).not.toContain(secret);

  await release(env, 'v1.1.0');
  await pushed(env, worker, 'v1.1.0');
  await ended(worker, 'to-prod', 'v1.1.0');
  const since = String(all[0]?.['until']);
  expect(await millrace(['--out', 'new.ndjson', '--since', since])).toMatchObject({ code: 0 });
  const added = linesOf('new.ndjson');
  expect(ofType(added, 'lane')).toHaveLength(2);
  expect(ofType(added, 'event').filter((event) => event['promotion'] === id)).toEqual([]);
  expect(ofType(added, 'promotion').filter(({ version }) => version === 'v1.1.0')).toHaveLength(2);
  expect(readdirSync(folder).toSorted()).toEqual(['all.ndjson', 'new.ndjson']);
});

/** A server that answers an export with this text; `cut`: its connection then breaks. */
async function serve(text: string, cut: boolean): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write(text, () => (cut ? response.destroy() : response.end()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['an export whose connection breaks', true],
  ['an export without its last line', false],
])('%s is refused, and the earlier file stays', async (_, cut) => {
  const folder = createFolder();
  writeFileSync(path.join(folder, 'all.ndjson'), 'earlier');
  const millrace = commandLine(await serve('{"type":"export"}\n{"type":"la', cut), folder);
  const refused = await millrace(['--out', 'all.ndjson']);
  expect(refused).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/cannot be reached|is incomplete/),
  });
  expect(readFileSync(path.join(folder, 'all.ndjson'), 'utf8')).toBe('earlier');
  expect(readdirSync(folder)).toEqual(['all.ndjson']);
});

test.each([
  ['a folder', '.', '. is a folder.'],
  ['a pipe', 'pipe', 'pipe is not a regular file.'],
])('%s is not replaced', async (_, out, message) => {
  const folder = createFolder();
  execFileSync('mkfifo', [path.join(folder, 'pipe')]);
  // It is refused before a worker is asked.
  const refused = await commandLine('http://127.0.0.1:9', folder)(['--out', out]);
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  expect(refused.stderr).toContain('--out');
  expect(readdirSync(folder)).toEqual(['pipe']);
  expect(statSync(path.join(folder, 'pipe')).isFIFO()).toBe(true);
});

test('a time that is not one is refused', async () => {
  const { worker } = await createTestEnvironment(redis, { lanes: twoLanes });
  const refused = await commandLine(
    worker.url,
    createFolder(),
  )(['--out', 'a.ndjson', '--since', 'yesterday']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('`since` must be a time') });
});
