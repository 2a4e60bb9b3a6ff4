import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { keysUnder } from '../../../worker/store/scripts/keys.ts';
import { recordFormat } from '../../../worker/records/record-format.ts';
import { restoringFormat } from '../../../worker/store/recovery/snapshot.ts';
import { NewerFormat } from '../../../worker/store/scripts/newer-format.ts';
import { type BackupHeader, writeBackup } from '../../../worker/app/backup-file.ts';
import { createLaneStore } from '../../../worker/app/lane-store.ts';
import { testRedis } from '../../environment/redis.ts';
import { promotionTask } from '../../worker/store/promotion-task.ts';
import { inProcess } from '../in-process.ts';

const redis = testRedis();
const [lane, newLane] = ['77/p/to-test', '77/p/to-prod'];

test('millrace worker hold-all holds every lane without a worker, also one that the backup does not have', async () => {
  const keys = keysUnder('{millrace}');
  const store = createLaneStore(redis.connect(), keys, systemClock);
  await redis.connect().set(keys.state, 'new-1');
  const accept = async (id: string) =>
    store.accept({
      promotionId: id,
      task: promotionTask('v1', { id, lane: id.slice(5) }),
      order: 'differs',
      head: { field: 'refs/tags/v1', value: 'a'.repeat(40) },
    });
  await accept(lane);
  const { address } = redis;
  const env = { MILLRACE_REDIS_URL: address.kind === 'socket' ? address.path : '' };
  const command = ['worker', 'hold-all', '--reason', 'backup of Monday', '--json'];

  const planned = await inProcess([...command, '--dry-run'], { env });
  expect(JSON.parse(planned.stdout)).toEqual({ dryRun: true, held: [lane], reason: 'backup of Monday' });
  expect((await store.lane(lane))?.holds).toEqual([]);

  await redis.connect().config('SET', 'appendfsync', 'always');
  const done = await inProcess(command, { env });
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(done.stdout)).toEqual({ held: [lane], reason: 'backup of Monday', durable: true });
  expect((await store.lane(lane))?.holds).toMatchObject([{ cause: 'manual', reason: 'backup of Monday' }]);
  await accept(newLane);
  expect(await store.lane(newLane)).toMatchObject({ active: undefined, holds: [{ cause: 'state-lost' }] });
});

test('a restored backup holds every lane, also one whose hold was set after the backup and is lost', async () => {
  await redis.empty();
  const keys = keysUnder('{millrace}');
  const connection = redis.connect();
  const store = createLaneStore(connection, keys, systemClock);
  await connection.set(keys.state, 'new-1');
  await connection.hset(keys.format, { number: recordFormat, version: 'test' });
  await connection.hset(keys.epoch, { run: 'earlier', journalsRun: 'earlier' });
  await connection.set('other', 'not a record');
  await connection.set(keys.preview('soon'), 'x', 'PX', 600_000);
  const accept = async (id: string) =>
    store.accept({
      promotionId: id,
      task: promotionTask('v1', { id, lane: id.slice(5) }),
      order: 'differs',
      head: { field: 'refs/tags/v1', value: 'a'.repeat(40) },
    });
  await accept(lane);
  const { address } = redis;
  const env = { MILLRACE_REDIS_URL: address.kind === 'socket' ? address.path : '' };
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'monday.ndjson');
  const millrace = (...args: string[]) => inProcess(['worker', ...args], { env });

  const backup = await millrace('backup', file, '--json');
  expect(backup).toMatchObject({ code: 0, stderr: '' });
  const keyCount = (JSON.parse(backup.stdout) as { keys: number }).keys;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // A person stops the lane, and another lane appears: Redis then loses both.
  await store.hold(lane, { cause: 'manual', by: 'ada', via: 'api', reason: 'wrong figures', since: 1 });
  await accept(newLane);
  await connection.hset(keys.workers, 'w1', `7 ${String(Date.now())}`);
  expect(await millrace('restore', file, '--replace')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Stop all workers'),
  });
  await connection.hset(keys.workers, 'w1', `7 ${String(Date.now() - 60_000)}`);
  expect(await millrace('restore', file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has records of a worker already: \d+ keys, 2 lanes/),
  });
  const text = readFileSync(file, 'utf8');
  for (const [broken, reason] of [
    [text.slice(0, text.lastIndexOf('\n{') + 1), 'it ends before its last line'],
    [text.replace('"expiresAt":1', '"expiresAt":2'), 'does not fit its checksum'],
    ['{}\n', 'its first line is not the header'],
  ] as const) {
    const other = path.join(folder, 'broken.ndjson');
    writeFileSync(other, broken);
    expect(await millrace('restore', other, '--replace'), reason).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(reason),
    });
  }
  const [foreign, before] = [path.join(folder, 'foreign.ndjson'), await connection.dbsize()];
  const dump = Buffer.from('of another version');
  await writeBackup(foreign, JSON.parse(text.split('\n')[0] ?? '') as BackupHeader, [
    { name: keys.state, expiresAt: undefined, dump },
  ]);
  expect(await millrace('restore', foreign, '--replace')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/This Redis does not accept the backup: .*Nothing was changed\./),
  });
  expect(await connection.dbsize()).toBe(before);
  const taken = path.join(folder, 'taken');
  mkdirSync(taken);
  expect(await millrace('backup', taken)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('taken cannot be used'),
  });
  expect(readdirSync(folder).filter((name) => name.startsWith('taken'))).toEqual(['taken']);
  expect(await millrace('restore', file, '--replace', '--dry-run')).toMatchObject({ code: 0 });
  expect(await store.lane(newLane)).toBeDefined();

  const restored = await millrace('restore', file, '--replace', '--reason', 'disk lost', '--json');
  expect(JSON.parse(restored.stdout)).toMatchObject({ keys: keyCount, held: [lane], reason: 'disk lost' });
  expect(await store.lane(lane)).toMatchObject({
    active: lane,
    holds: [{ cause: 'manual', reason: 'disk lost' }],
  });
  expect(await store.laneIds()).toEqual([lane]);
  expect(await connection.hgetall(keys.format)).toMatchObject({ number: String(recordFormat) });
  expect(await connection.hget(keys.epoch, 'run')).toBe('restored');
  expect(await connection.pttl(keys.preview('soon'))).toBeGreaterThan(500_000);
  expect(await connection.get('other')).toBe('not a record');
  // A lane that the backup does not have may have been held, too.
  await accept(newLane);
  expect(await store.lane(newLane)).toMatchObject({ active: undefined, holds: [{ cause: 'state-lost' }] });

  // A restore that was interrupted: no worker uses the records, and it can be repeated.
  await connection.hset(keys.format, { number: restoringFormat });
  await expect(accept(lane)).rejects.toBeInstanceOf(NewerFormat);
  expect(await millrace('backup', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('was interrupted'),
  });
  expect(await millrace('restore', file, '--replace')).toMatchObject({ code: 0 });
  expect((await connection.hget(keys.format, 'number')) ?? '').toBe(String(recordFormat));
  await redis.empty();
  expect(await millrace('backup', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing to back up'),
  });
  expect(await millrace('restore', file)).toMatchObject({ code: 0 });
  expect(await store.laneIds()).toEqual([lane]);
});
