import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startWorker } from '../../../worker/app/start-worker.ts';
import { testRedis } from '../../environment/redis.ts';
import { ended, failing, pushed, release, toTest, twoLanes } from '../../environment/worker/lanes-at-work.ts';
import {
  createWorkerEnvironment,
  type WorkerEnvironmentOptions,
} from '../../environment/worker/worker-environment.ts';

const redis = testRedis();

/** What OpenTelemetry's SDK for Node brings: without it a call has no parent span. */
const storage = new AsyncLocalStorage<Context>();
const manager: ContextManager = {
  active: () => storage.getStore() ?? ROOT_CONTEXT,
  with: (active, work, self, ...rest) => storage.run(active, () => work.apply(self, rest)),
  bind: (_, target) => target,
  enable: () => manager,
  disable: () => manager,
};

beforeAll(() => void context.setGlobalContextManager(manager));
afterAll(() => context.disable());

/** Runs a version through the lanes and gives the spans that were written. */
async function spansOf(options: WorkerEnvironmentOptions, lane: string): Promise<readonly ReadableSpan[]> {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const env = await createWorkerEnvironment(options);
  const worker = await startWorker({ ...env.options(redis), tracer: provider.getTracer('test') });
  onTestFinished(async () => {
    await worker.close();
    await env[Symbol.asyncDispose]();
  });
  await release(env, 'v1.0.0');
  await pushed(env, worker, 'v1.0.0');
  await ended(worker, lane, 'v1.0.0');
  return exporter.getFinishedSpans();
}

test('a push is one trace: its promotions, their steps and what they did outside, in the words of the conventions', async () => {
  const spans = await spansOf({ lanes: twoLanes }, 'to-prod');
  expect(new Set(spans.map((span) => span.spanContext().traceId)).size).toBe(1);
  const named = (name: string): ReadableSpan => {
    const found = spans.find((span) => span.name === name);
    if (found === undefined) throw new Error(`no span ${name}: ${spans.map((span) => span.name).join(', ')}`);
    return found;
  };
  const root = named('ingest push');
  expect(root.attributes).toMatchObject({
    'vcs.ref.head.name': 'v1.0.0',
    'vcs.ref.head.type': 'tag',
    'vcs.repository.name': 'warehouse',
  });
  const promotion = named('RUN to-test');
  expect(promotion.parentSpanContext?.spanId).toBe(root.spanContext().spanId);
  expect(promotion.attributes).toMatchObject({
    'cicd.pipeline.name': 'to-test',
    'cicd.pipeline.result': 'success',
    'deployment.environment.name': 'test',
    'millrace.version': 'v1.0.0',
  });
  expect(promotion.duration[0] * 1e9 + promotion.duration[1]).toBeGreaterThan(0);
  const tasks = spans
    .filter(
      (span) => span.attributes['cicd.pipeline.run.id'] === promotion.attributes['cicd.pipeline.run.id'],
    )
    .map((span) => span.attributes['cicd.pipeline.task.name']);
  expect(tasks).toEqual(['resolve', 'promote', 'start daily/load', 'watch daily/load', undefined]);
  // What changes something outside, and no look.
  const calls = spans.map((span) => span.attributes['millrace.operation']).filter((one) => one !== undefined);
  expect(calls).toEqual(['artifacts.promote', 'executions.start', 'artifacts.promote', 'executions.start']);
  expect(named('RUN to-prod').attributes['cicd.pipeline.result']).toBe('success');
});

test('a failed promotion is a failed span with the reason', async () => {
  const spans = await spansOf({ lanes: toTest, seed: failing('test') }, 'to-test');
  const promotion = spans.find((span) => span.name === 'RUN to-test');
  expect(promotion?.attributes).toMatchObject({ 'cicd.pipeline.result': 'failure', 'error.type': 'failed' });
  expect(promotion?.status.message).toContain('no such table');
});
