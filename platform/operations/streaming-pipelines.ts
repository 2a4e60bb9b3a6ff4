import { recordEffect } from '../world/effect.ts';
import { invalidDefinition, refuse } from '../refusal/refusal.ts';
import { findRunner } from '../world/runners.ts';
import type { World } from '../world/world.ts';
import type { AreaHandlers } from './handler.ts';
import { changesState, readKeptLog, statusOf, type StreamingRow } from '../world/streaming-status.ts';

interface Row extends StreamingRow {
  readonly definition: string;
}

/** Streaming pipelines (spec §2.5, §3.1, §4.2). */
export const streamingPipelines: AreaHandlers<'streamingPipelines'> = {
  'streamingPipelines.create': ({ body, project, caller, operation, requestId, instance }, world) => {
    if (findRunner(world.store, world.seed, body.agentId) === undefined)
      throw invalidDefinition(instance, [{ field: 'agentId', message: 'must be an existing runner' }]);
    const streamingPipelineId = world.ids.uuid();
    return world.store.transaction(() => {
      world.store.run(
        'INSERT INTO streaming_pipeline (id, project_id, definition) VALUES (?, ?, ?)',
        streamingPipelineId,
        project.id,
        JSON.stringify(body),
      );
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: 'created',
        subject: { type: 'streamingPipeline', id: streamingPipelineId, name: body.name },
        description: `Streaming pipeline "${body.name}" was created`,
        event: 'Streaming pipeline created',
      });
      return { streamingPipelineId, ...body };
    });
  },

  'streamingPipelines.get': ({ params, project }, world) => {
    const row = find(world, project.id, params.streamingPipelineId);
    return { streamingPipelineId: row.id, ...(JSON.parse(row.definition) as object) };
  },

  'streamingPipelines.command': ({ params, body, project, caller, operation, requestId }, world) =>
    world.store.transaction(() => {
      const row = find(world, project.id, params.streamingPipelineId);
      if (!changesState(statusOf(world, project.id, row).status, body.command)) return {};
      const capture = world.captures.of(project.id, row.id);
      const { name } = JSON.parse(row.definition) as { name: string };
      const { takesMs, fails } = world.streaming.take(name, body.command);
      world.store.run(
        'UPDATE streaming_pipeline SET command = ?, commanded_at = ?, takes_ms = ?, fails = ? WHERE id = ?',
        body.command,
        world.clock.now(),
        takesMs,
        fails ? 1 : 0,
        row.id,
      );
      if (body.command === 'start') capture?.start();
      else void capture?.stop();
      const done = body.command === 'start' ? 'started' : 'stopped';
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: done,
        subject: { type: 'streamingPipeline', id: row.id, name },
        description: `Streaming pipeline "${name}" was ${done}`,
        event: `Streaming pipeline ${done}`,
      });
      return {};
    }),

  'streamingPipelines.status': async ({ params, project }, world) => {
    await readKeptLog(world, project.id, find(world, project.id, params.streamingPipelineId));
    return statusOf(world, project.id, find(world, project.id, params.streamingPipelineId));
  },
};

function find(world: World, projectId: string, id: string): Row {
  const row = world.store.get<Row>(
    'SELECT id, definition, command, commanded_at, takes_ms, fails FROM streaming_pipeline WHERE project_id = ? AND id = ?',
    projectId,
    id,
  );
  if (row === undefined) throw refuse(404, `The streaming pipeline "${id}" does not exist.`);
  return row;
}
