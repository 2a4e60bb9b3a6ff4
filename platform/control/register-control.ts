import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { faultsSchema, type ReadyPlan } from '../faults/fault-schema.ts';
import { registerInspector } from '../inspector/register-inspector.ts';
import { registerStreaming } from './register-streaming.ts';
import { resetWorld } from '../planting/reset-world.ts';
import { duration } from '../clock/duration.ts';
import type { World } from '../world/world.ts';
import { check, requireWriteHeader } from '../refusal/guard.ts';
import { showClock } from '../clock/show-clock.ts';
import { kindsOfFault } from '../faults/fault-kinds.ts';
import { answer, isForm } from './answer.ts';
import { registerEvents } from './register-events.ts';
import { registerMetrics } from './register-metrics.ts';
import { registerRunners } from './register-runners.ts';

const advance = z.strictObject({ by: duration });

/** Registers the routes under `/_platform` that control the platform itself. They are not part of the specification. */
export function registerControl(server: FastifyInstance, world: World): void {
  void server.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (request, _reply, next) => {
        requireWriteHeader(request);
        next();
      });
      void scope.register(formbody);
      registerFaults(scope, world);
      registerClock(scope, world);
      registerRunners(scope, world);
      registerEvents(scope, world);
      scope.post('/reset', (_request, reply) => {
        resetWorld(world);
        return reply.code(204).send();
      });
      registerStreaming(scope, world);
      registerMetrics(scope, world);
      registerInspector(scope, world);
      done();
    },
    { prefix: '/_platform' },
  );
}

function registerFaults(scope: FastifyInstance, { faults }: World): void {
  scope.put('/faults', (request) => {
    faults.set(check(request, faultsSchema, request.body));
    return faults.list();
  });
  scope.post('/faults', (request, reply) => {
    faults.add(check(request, isForm(request) ? faultForm : faultsSchema, request.body));
    return answer(request, reply, { page: 'faults', value: faults.list() });
  });
  // A form cannot send DELETE.
  scope.post('/faults/clear', (request, reply) => {
    faults.clear();
    return answer(request, reply, { page: 'faults', value: faults.list() });
  });
  scope.delete('/faults', () => {
    faults.clear();
    return faults.list();
  });
}

function registerClock(scope: FastifyInstance, { clock }: World): void {
  const show = (request: FastifyRequest, reply: FastifyReply) =>
    answer(request, reply, { page: 'clock', value: showClock(clock) });
  scope.post('/clock/freeze', (request, reply) => {
    clock.freeze();
    return show(request, reply);
  });
  scope.post('/clock/resume', (request, reply) => {
    clock.resume();
    return show(request, reply);
  });
  scope.post('/clock/advance', async (request, reply) => {
    await clock.advance(check(request, advance, request.body).by);
    return show(request, reply);
  });
}

const number = z
  .string()
  .regex(/^\d{0,9}$/, 'must be a number')
  .transform((text) => (text === '' ? undefined : Number(text)));

const form = z.union([
  z.strictObject({
    operation: z.string(),
    fault: z.enum(kindsOfFault.map(({ name }) => name)),
    times: number,
  }),
  z.strictObject({ rateLimit: number }),
]);

/** A form of the inspector as a fault plan. An empty field is absent. */
const faultForm = form
  .transform((fields): unknown => {
    if ('rateLimit' in fields) return { rateLimit: fields.rateLimit ?? false };
    const { rule } = kindsOfFault.find(({ name }) => name === fields.fault) ?? {};
    const operation = fields.operation === '' ? {} : { operation: fields.operation };
    return { rules: [{ ...operation, ...rule, times: fields.times }] };
  })
  .pipe(faultsSchema) satisfies z.ZodType<ReadyPlan>;
