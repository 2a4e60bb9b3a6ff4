import { recordEffect } from '../world/effect.ts';
import { refuse } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';
import type { AreaHandlers } from './handler.ts';
import type { Command } from '../world/streaming-script.ts';
import { changesState, streamingStatus } from '../world/streaming-status.ts';

interface Row {
  readonly id: string;
  readonly definition: string;
  readonly command: Command | null;
  readonly commanded_at: number | null;
  readonly takes_ms: number | null;
  readonly fails: number;
}

/** Streaming pipelines (spec §2.5, §3.1, §4.2). */
export const streamingPipelines: AreaHandlers<'streamingPipelines'> = {
  'streamingPipelines.create': ({ body, project, caller, operation, requestId }, world) => {
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
      if (!changesState(statusOf(world, row), body.command)) return {};
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

  'streamingPipelines.status': ({ params, project }, world) => {
    return { status: statusOf(world, find(world, project.id, params.streamingPipelineId)) };
  },
};

function statusOf({ clock }: World, { command, commanded_at: at, takes_ms: takesMs, fails }: Row): string {
  return streamingStatus(command, clock.now() - (at ?? 0), { takesMs: takesMs ?? 0, fails: fails === 1 });
}

function find(world: World, projectId: string, id: string): Row {
  const row = world.store.get<Row>(
    'SELECT id, definition, command, commanded_at, takes_ms, fails FROM streaming_pipeline WHERE project_id = ? AND id = ?',
    projectId,
    id,
  );
  if (row === undefined) throw refuse(404, `The streaming pipeline "${id}" does not exist.`);
  return row;
}
