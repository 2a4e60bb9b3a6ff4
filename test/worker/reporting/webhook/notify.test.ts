import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { NotificationKind } from '../../../../lib/config/worker/notify-schema.ts';
import type { PromotionRecord } from '../../../../worker/records/promotion-record.ts';
import { createNotifier, type NotifyTarget } from '../../../../worker/reporting/webhook/create-notifier.ts';
import { notificationSchema } from '../../../../worker/reporting/webhook/notification.ts';
import { createOutbox } from '../../../../worker/reporting/webhook/outbox.ts';
import { openPoster } from '../../../../worker/reporting/webhook/post-notification.ts';
import { silentLogger } from '../../../../lib/core/ports/ports.ts';
import { startWorker } from '../../../../worker/app/start-worker.ts';
import { testRedis } from '../../../environment/redis.ts';
import { ended, failing, pushed, release, toTest } from '../../../environment/worker/lanes-at-work.ts';
import { createReporterEnvironment } from '../github/reporter-environment.ts';
import { createWorkerEnvironment } from '../../../environment/worker/worker-environment.ts';
import { eventually } from '../../../environment/worker/eventually.ts';
import { startReceiver } from './receiver.ts';

const redis = testRedis();
const secret = 'nobody knows';
const all: readonly NotificationKind[] = ['failed', 'needs-approval', 'indeterminate'];

/** A promotion, the receivers that are notified, and time that a test advances. */
async function beginAdvance(urls: readonly string[], events = all, version?: string) {
  const env = await createReporterEnvironment(redis, version === undefined ? {} : { version });
  await env.accept();
  const key = await env.beginAdvance();
  const poster = openPoster();
  onTestFinished(() => poster.close());
  let waits = false;
  const clock = { now: () => Date.now() + env.time.skipped, sleep: async () => {} };
  const targets = urls.map((url): NotifyTarget => ({ url: () => url, secret: () => secret, events }));
  const make = () =>
    createNotifier({
      targets: () => targets,
      outbox: createOutbox(redis.connect(), env.prefix, clock),
      store: env.store,
      post: poster.post,
      needsApproval: () => waits,
      url: () => 'https://worker.example.com',
      clock,
      random: () => 0.5,
      logger: silentLogger,
    });
  const notifier = make();
  const promotion = async (): Promise<PromotionRecord> => {
    const found = await env.store.promotion('promotion-1');
    if (found === undefined) throw new Error('the promotion is gone');
    return found;
  };
  return {
    env,
    key,
    make,
    offer: async () => notifier.offer(await promotion()),
    send: () => notifier.sendDue(),
    waitForApproval: (yes: boolean) => (waits = yes),
    pass: (ms: number) => (env.time.skipped += ms),
  };
}

test('a failure is notified once, signed, in the documented form', async () => {
  const receiver = await startReceiver();
  const { env, key, offer, send, make } = await beginAdvance([receiver.url]);
  await offer();
  await send();
  expect(receiver.received).toEqual([]);
  await env.finish(key, 'failed', 'v1.0.0 failed in test: daily/load ended FAILED');
  await offer();
  await offer();
  await Promise.all([send(), make().sendDue()]);
  await offer();
  await send();
  expect(receiver.received).toHaveLength(1);
  const [got] = receiver.received;
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  } = got?.headers ?? {};
  const mac = createHmac('sha256', secret).update(`${String(id)}.${String(timestamp)}.${got?.body ?? ''}`);
  expect(signature).toBe(`v1,${mac.digest('base64')}`);
  expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(300);
  const body = notificationSchema.parse(JSON.parse(got?.body ?? ''));
  expect(body).toMatchObject({
    type: 'promotion.failed',
    data: {
      promotion: 'promotion-1',
      lane: 'to-test',
      repository: { id: 77, name: 'example/warehouse' },
      commit: env.commit,
      version: 'v1.0.0',
      to: 'test',
      outcome: 'failed',
      message: 'v1.0.0 failed in test: daily/load ended FAILED',
      url: 'https://worker.example.com/promotions/promotion-1',
    },
  });
});

test.each([
  ['failed', ['promotion.failed']],
  ['error', ['promotion.failed']],
  ['indeterminate', ['promotion.indeterminate']],
  ['passed', []],
  ['cancelled', []],
  ['superseded', []],
] as const)('a promotion that ended %s makes %j', async (outcome, types) => {
  const receiver = await startReceiver();
  const { env, key, offer, send } = await beginAdvance([receiver.url]);
  await env.finish(key, outcome, 'It is over');
  await offer();
  await send();
  expect(receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual(types);
});

test('a needed approval is notified once, and not at all if it was given in between', async () => {
  const receiver = await startReceiver((count) => (count === 1 ? 503 : 204));
  const { offer, send, waitForApproval, pass } = await beginAdvance([receiver.url]);
  waitForApproval(true);
  await offer();
  await send();
  expect(receiver.received).toHaveLength(1);
  waitForApproval(false);
  pass(60_000);
  await send();
  expect(receiver.received).toHaveLength(1);
});

test('each target gets its events, whatever happens to the other target', async () => {
  const [good, bad] = [await startReceiver(), await startReceiver(() => 'drop')];
  const { env, key, offer, send } = await beginAdvance([bad.url, good.url], ['indeterminate']);
  await env.finish(key, 'indeterminate', 'Not known');
  await offer();
  await send();
  expect(good.received).toHaveLength(1);
  expect(bad.received).toHaveLength(1);
  const other = await beginAdvance([good.url], ['failed']);
  await other.env.finish(other.key, 'indeterminate', 'Not known');
  await other.offer();
  await other.send();
  expect(good.received).toHaveLength(1);
});

test('a refused notification is retried with the same id at growing intervals, then given up and recorded', async () => {
  const receiver = await startReceiver((count) => (count % 2 === 0 ? 'drop' : 302));
  const { env, key, offer, send, pass } = await beginAdvance([receiver.url]);
  await env.finish(key, 'failed', 'It is over');
  await offer();
  let passed = 0;
  for (let i = 0; i < 30; i += 1) {
    await send();
    const ms = 5_000 * 2 ** i;
    if (receiver.received.length < 10) passed += ms;
    pass(ms);
  }
  expect(receiver.received).toHaveLength(10);
  expect(passed).toBeGreaterThan(3_600_000);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await env.store.history({ promotion: 'promotion-1' })).at(-1)?.what).toBe('notification-given-up');
});

test('a receiver that wants no more of them gets none', async () => {
  const receiver = await startReceiver(() => 410);
  const { env, key, offer, send, pass } = await beginAdvance([receiver.url]);
  await env.finish(key, 'failed', 'It is over');
  await offer();
  await send();
  pass(86_400_000);
  await send();
  expect(receiver.received).toHaveLength(1);
});

test('whatever the texts of a promotion, the body stays small and on one line', async () => {
  const receiver = await startReceiver();
  const { env, key, offer, send } = await beginAdvance([receiver.url], all, 'v\u202e\n'.repeat(5_000));
  await env.finish(key, 'failed', 'long '.repeat(50_000));
  await offer();
  await send();
  const body = receiver.received[0]?.body ?? '';
  expect(Buffer.byteLength(body)).toBeLessThan(8_000);
  expect(() => notificationSchema.parse(JSON.parse(body))).not.toThrow();
  expect(body).not.toMatch(/\\n|\u202e/);
});

test('a worker notifies about a failed promotion by itself', async () => {
  const receiver = await startReceiver();
  const env = await createWorkerEnvironment({ lanes: toTest, seed: failing('test') });
  const options = env.options(redis);
  const worker = await startWorker({
    ...options,
    settings: { ...options.settings, notifyTickMs: 100 },
    notify: [{ url: () => receiver.url, secret: () => secret, events: all }],
  });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, 'to-test', 'v1.0.0');
  await eventually(() => receiver.received.length).toBe(1);
  expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'promotion.failed' });
});
