import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { refuse } from '../refusal/refusal.ts';
import type { Capture } from '../streaming/capture/capture.ts';
import { SourceFailure } from '../streaming/source/source.ts';
import type { World } from '../world/world.ts';

const named = z.object({ id: z.string() });
const namedSlot = z.object({ id: z.string(), slot: z.string() });

/** What can be done with a streaming pipeline, and no operation of the API does. */
export function registerStreaming(scope: FastifyInstance, world: World): void {
  scope.post('/streaming/:id/snapshot', async (request, reply) => {
    const { id, capture } = find(world, named.parse(request.params).id);
    await capture.snapshot();
    return done(request, reply, `/_platform/streaming/${id}`);
  });
  const remove = async (request: FastifyRequest, reply: FastifyReply) => {
    const { id, project } = find(world, named.parse(request.params).id);
    await reach(() => world.captures.remove(project, id));
    world.store.run('DELETE FROM streaming_pipeline WHERE id = ?', id);
    return done(request, reply, '/_platform/streaming');
  };
  scope.delete('/streaming/:id', remove);
  // A form cannot send DELETE.
  scope.post('/streaming/:id/delete', remove);
  scope.post('/streaming/:id/slots/:slot/drop', async (request, reply) => {
    const { id, slot } = namedSlot.parse(request.params);
    const { capture } = find(world, id);
    await reach(() => capture.readSlots());
    if (!world.captures.otherSlots(capture).some(({ name }) => name === slot))
      throw refuse(404, `The source has no slot "${slot.slice(0, 100)}" that nothing uses.`);
    await reach(() => capture.dropSlot(slot));
    return done(request, reply, `/_platform/streaming/${id}`);
  });
}

function find(
  world: World,
  id: string,
): { readonly id: string; readonly project: string; readonly capture: Capture } {
  const row = world.store.get<{ project: string }>(
    'SELECT project_id AS project FROM streaming_pipeline WHERE id = ?',
    id,
  );
  if (row === undefined) throw refuse(404, `The streaming pipeline "${id.slice(0, 100)}" does not exist.`);
  const capture = world.captures.of(row.project, id);
  if (capture === undefined)
    throw refuse(
      409,
      'Streaming is simulated. With `settings.streaming: engine` in the seed, changes are captured.',
    );
  return { id, project: row.project, capture };
}

/** A source that cannot be reached is a conflict with the request, with its reason. */
async function reach<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    throw refuse(409, [error.message, error.hint].filter((sentence) => sentence !== undefined).join(' '));
  }
}

function done(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return isForm ? reply.redirect(page, 303) : reply.code(204).send();
}
