import { visibleEnvironments } from '../world/access-level.ts';
import { recordEffect } from '../world/effect.ts';
import { badRequest, refuse } from '../refusal/refusal.ts';
import { findRunner } from '../world/runners.ts';
import { readPage } from '../store/page.ts';
import { checkConnections } from './check-connections.ts';
import type { AreaHandlers } from './handler.ts';

interface ListRow {
  readonly name: string;
  readonly agent_id: string;
  readonly agent_name: string;
}

/** Environments (spec §2.3, §4.1). */
export const environments: AreaHandlers<'environments'> = {
  'environments.create': ({ body, caller, operation, requestId, project, instance }, world) =>
    world.store.transaction(() => {
      const runner = findRunner(world.store, world.seed, body.defaultAgentId);
      const violations = [
        ...(runner === undefined
          ? [`defaultAgentId names "${body.defaultAgentId}", which is not a runner (§2.3)`]
          : []),
        ...checkConnections(world.store, project.id, body),
      ];
      if (violations.length > 0) throw badRequest(instance, violations);
      const duplicate = world.store.get(
        'SELECT 1 FROM environment WHERE project_id = ? AND name = ?',
        project.id,
        body.name,
      );
      if (duplicate !== undefined) throw refuse(409, `An environment named "${body.name}" already exists.`);
      world.store.run(
        `INSERT INTO environment (project_id, name, agent_id, agent_name, access_level, definition)
         VALUES (?, ?, ?, ?, ?, ?)`,
        project.id,
        body.name,
        body.defaultAgentId,
        runner?.name ?? '',
        body.defaultUserAccessLevel,
        JSON.stringify(body),
      );
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: 'created',
        subject: { type: 'environment', id: body.name, name: body.displayName ?? body.name },
        description: `Environment "${body.name}" was created`,
        event: 'Environment created',
      });
      return {};
    }),

  'environments.list': ({ query, project, caller }, world) => {
    const visible = visibleEnvironments(world, project, caller);
    return readPage<ListRow, unknown>(
      world.store,
      query,
      {
        sql: `SELECT name, agent_id, agent_name FROM environment WHERE project_id = ?
              AND (? IS NULL OR name IN (SELECT value FROM json_each(?))) ORDER BY seq`,
        values: [project.id, visible, visible],
      },
      (row) => ({ name: row.name, defaultAgentId: row.agent_id, defaultAgentName: row.agent_name }),
    );
  },
};
