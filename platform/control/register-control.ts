import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { effectNames } from '../effect.ts';
import { faultsSchema } from '../faults/fault-schema.ts';
import { readLedger } from '../ledger.ts';
import { resetWorld } from '../reset-world.ts';
import { duration } from '../seed/duration.ts';
import type { World } from '../world.ts';
import { check, requireWriteHeader } from './guard.ts';

const name = z.string().min(1).optional();

const ledgerQuery = z.strictObject({
  effect: z.enum(effectNames).optional(),
  operation: name,
  project: name,
  subject: name,
  requestId: name,
  after: z.coerce.number().int().min(0).optional(),
});

const advance = z.strictObject({ by: duration });

const requestQuery = z.strictObject({ operation: name, project: name });

/** What a test asks of the platform itself, under `/_platform`. None of it is part of the specification. */
export function registerControl(server: FastifyInstance, world: World): void {
  void server.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (request, _reply, next) => {
        requireWriteHeader(request);
        next();
      });
      registerFaults(scope, world);
      registerClock(scope, world);
      scope.post('/reset', (_request, reply) => {
        resetWorld(world);
        return reply.code(204).send();
      });
      scope.get('/ledger', (request) => ({
        effects: readLedger(world.store, check(request, ledgerQuery, request.query)),
      }));
      scope.get('/requests', (request) => {
        const { operation, project } = check(request, requestQuery, request.query);
        return {
          counts: world.requests.counts(),
          requests: world.requests
            .list()
            .filter(
              (entry) =>
                (operation === undefined || entry.operation === operation) &&
                (project === undefined || entry.project === project),
            ),
        };
      });
      done();
    },
    { prefix: '/_platform' },
  );
}

function registerFaults(scope: FastifyInstance, { faults }: World): void {
  scope.get('/faults', () => faults.list());
  scope.put('/faults', (request) => {
    faults.set(check(request, faultsSchema, request.body));
    return faults.list();
  });
  scope.post('/faults', (request) => {
    faults.add(check(request, faultsSchema, request.body));
    return faults.list();
  });
  scope.delete('/faults', () => {
    faults.clear();
    return faults.list();
  });
}

function registerClock(scope: FastifyInstance, { clock }: World): void {
  const show = () => ({
    now: new Date(clock.now()).toISOString(),
    frozen: clock.frozen,
    aheadMs: clock.ahead,
  });
  scope.get('/clock', show);
  scope.post('/clock/freeze', () => {
    clock.freeze();
    return show();
  });
  scope.post('/clock/resume', () => {
    clock.resume();
    return show();
  });
  scope.post('/clock/advance', (request) =>
    clock.advance(check(request, advance, request.body).by).then(show),
  );
}
