import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { refuse } from '../refusal/refusal.ts';
import type { Capture } from '../streaming/capture/capture.ts';
import { SourceFailure } from '../streaming/source/source.ts';
import { isForm } from './answer.ts';
import { type Effect, localActor, recordEffect } from '../world/effect.ts';
import type { World } from '../world/world.ts';

const named = z.object({ id: z.string() });
const namedSlot = z.object({ id: z.string(), slot: z.string() });

/** Registers actions on streaming pipelines for which the API has no operation. */
export function registerStreaming(scope: FastifyInstance, world: World): void {
  scope.post('/streaming/:id/snapshot', async (request, reply) => {
    const pipeline = find(world, named.parse(request.params).id);
    const { id, capture } = pipeline;
    await capture.snapshot();
    record(world, pipeline, request, {
      effect: 'recorded',
      event: 'Streaming pipeline snapshot request created',
      description: `A new snapshot of the streaming pipeline "${pipeline.name}" was requested`,
    });
    return done(request, reply, `/_platform/streaming/${id}`);
  });
  const remove = async (request: FastifyRequest, reply: FastifyReply) => {
    const pipeline = find(world, named.parse(request.params).id);
    const left = await reach(() => world.captures.remove(pipeline.project, pipeline.id));
    world.store.transaction(() => {
      world.store.run('DELETE FROM streaming_pipeline WHERE id = ?', pipeline.id);
      record(world, pipeline, request, {
        effect: 'deleted',
        event: 'Streaming pipeline deleted',
        description: `Streaming pipeline "${pipeline.name}" was deleted`,
      });
    });
    return left.length === 0 || isForm(request)
      ? done(request, reply, '/_platform/streaming')
      : reply.send({ left });
  };
  scope.delete('/streaming/:id', remove);
  // A form cannot send DELETE.
  scope.post('/streaming/:id/delete', remove);
  scope.post('/streaming/:id/slots/:slot/drop', async (request, reply) => {
    const { id, slot } = namedSlot.parse(request.params);
    const { capture } = find(world, id);
    await reach(() => capture.readSlots());
    if (!world.captures.otherSlots(capture).some(({ name }) => name === slot))
      throw refuse(404, `The source has no unused slot "${slot.slice(0, 100)}".`);
    await reach(() => capture.dropSlot(slot));
    return done(request, reply, `/_platform/streaming/${id}`);
  });
}

interface Running {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  readonly capture: Capture;
}

function find(world: World, id: string): Running {
  const row = world.store.get<{ project: string; name: string }>(
    "SELECT project_id AS project, definition ->> '$.name' AS name FROM streaming_pipeline WHERE id = ?",
    id,
  );
  if (row === undefined) throw refuse(404, `The streaming pipeline "${id.slice(0, 100)}" does not exist.`);
  const capture = world.captures.of(row.project, id);
  if (capture === undefined) {
    throw refuse(
      409,
      'Streaming is simulated. With `settings.streaming: engine` in the seed, changes are captured.',
    );
  }
  return { id, ...row, capture };
}

function record(
  world: World,
  { id, project, name }: Running,
  request: FastifyRequest,
  change: Pick<Effect, 'effect' | 'event' | 'description'>,
): void {
  recordEffect(world, {
    operation: '_platform/streaming',
    caller: localActor,
    requestId: request.id,
    projectId: project,
    subject: { type: 'streamingPipeline', id, name },
    ...change,
  });
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
  return isForm(request) ? reply.redirect(page, 303) : reply.code(204).send();
}
