import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { faultsSchema } from '../faults/fault-schema.ts';
import { registerInspector } from '../inspector/register-inspector.ts';
import { resetWorld } from '../planting/reset-world.ts';
import { duration } from '../clock/duration.ts';
import type { World } from '../world/world.ts';
import { check, requireWriteHeader } from '../refusal/guard.ts';
import { showClock } from '../clock/show-clock.ts';

const advance = z.strictObject({ by: duration });

/** Registers the routes of the platform itself under `/_platform`. They are not part of the specification. */
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
  const show = () => showClock(clock);
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
