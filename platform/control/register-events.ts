import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { check } from '../refusal/guard.ts';
import { refuse } from '../refusal/refusal.ts';
import { eventSeed } from '../seed/event-seed.ts';
import { recordEvent } from '../world/record-event.ts';
import type { World } from '../world/world.ts';
import { answer, isForm } from './answer.ts';

const one = eventSeed.transform((event) => [event]);
const several = z.array(eventSeed).min(1).max(1000);
/** A form sends an empty text for a field that was left empty. */
const form = z
  .record(z.string(), z.string())
  .transform((fields): unknown =>
    Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
  )
  .pipe(one);

/** Records audit events of §6 that no operation of the platform causes, so that readers of the log can be tested. */
export function registerEvents(scope: FastifyInstance, world: World): void {
  scope.post('/events', (request, reply) => {
    const schema = Array.isArray(request.body) ? several : isForm(request) ? form : one;
    const events = check(request, schema, request.body);
    const ids = world.store.transaction(() =>
      events.map((event) => {
        const id = recordEvent(world, event, request.id);
        if (id === undefined) throw refuse(404, `The project "${event.project ?? ''}" does not exist.`);
        return id;
      }),
    );
    return answer(request, reply, { page: 'audit', value: { eventIds: ids } });
  });
}
