import { recordEffect } from '../world/effect.ts';
import { badRequest, refuse } from '../refusal/refusal.ts';
import { readPage } from '../store/page.ts';
import { visibleProjects } from '../world/project.ts';
import type { World } from '../world/world.ts';
import type { AreaHandlers } from './handler.ts';

/** Projects, their warehouse connections and repository link (spec §4.1). */
export const projects: AreaHandlers<'projects' | 'connections' | 'repositories'> = {
  'projects.create': ({ body, caller, operation, requestId, instance }, world) => {
    const kinds = kindsOf(world);
    if (!kinds.includes(body.warehouse))
      throw badRequest(instance, [`warehouse must be one of ${kinds.join(', ')} (§2.1)`]);
    const projectId = world.ids.uuid();
    return world.store.transaction(() => {
      if (world.store.get('SELECT 1 FROM project WHERE name = ?', body.name) !== undefined)
        throw refuse(409, `A project named "${body.name}" already exists.`);
      // Spec §1: visible to Super Admins only until its users are invited by hand.
      world.store.run(
        'INSERT INTO project (id, name, description, warehouse, invited) VALUES (?, ?, ?, ?, 0)',
        projectId,
        body.name,
        body.description ?? null,
        body.warehouse,
      );
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId,
        effect: 'created',
        subject: { type: 'project', id: projectId, name: body.name },
        description: `Project "${body.name}" was created`,
        event: 'Project created',
      });
      return { projectId };
    });
  },

  'projects.list': ({ query, caller }, world) => {
    const visible = visibleProjects(world, caller);
    return readPage(
      world.store,
      query,
      {
        sql: `SELECT id, name, description FROM project
              WHERE ? IS NULL OR id IN (SELECT value FROM json_each(?)) ORDER BY seq`,
        values: [visible, visible],
      },
      (row) => row,
    );
  },

  'connections.create': ({ body, caller, operation, requestId, project, instance }, world) => {
    const { keyPair, password } = world.settings.warehouseKinds;
    const authTypes = new Map([
      [keyPair.toLowerCase(), 'key_pair'],
      [password.toLowerCase(), 'password'],
    ]);
    const expected = authTypes.get(body.authProvider);
    if (expected === undefined)
      throw badRequest(instance, [`authProvider must be one of ${[...authTypes.keys()].join(', ')} (§2.2)`]);
    if (expected !== body.authType)
      throw badRequest(instance, [
        `authType must be ${expected} for the authProvider ${body.authProvider} (§2.2)`,
      ]);
    return world.store.transaction(() => {
      const duplicate = world.store.get(
        'SELECT 1 FROM connection WHERE project_id = ? AND name = ?',
        project.id,
        body.name,
      );
      if (duplicate !== undefined) throw refuse(409, `A connection named "${body.name}" already exists.`);
      world.store.run(
        'INSERT INTO connection VALUES (?, ?, ?, ?)',
        project.id,
        body.name,
        body.authProvider,
        body.authType,
      );
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: 'registered',
        subject: { type: 'connection', id: body.name, name: body.name },
        description: `Connection "${body.name}" was registered`,
      });
      return {};
    });
  },

  'repositories.link': ({ body, caller, operation, requestId, project, instance }, world) => {
    const { gitProvider } = world.settings;
    if (body.provider !== gitProvider)
      throw badRequest(instance, [
        `provider must be ${gitProvider}; full hosted repositories are not supported (§2.4)`,
      ]);
    const { ownerName } = body.providerParameters;
    return world.store.transaction(() => {
      if (world.store.get('SELECT 1 FROM repository WHERE project_id = ?', project.id) !== undefined)
        throw refuse(409, 'The project is already linked to a repository.');
      world.store.run(
        'INSERT INTO repository VALUES (?, ?, ?, ?)',
        project.id,
        body.provider,
        ownerName,
        body.repositoryName,
      );
      const name = `${ownerName}/${body.repositoryName}`;
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: 'linked',
        subject: { type: 'repository', id: name, name },
        description: `Repository "${name}" was linked`,
      });
      return {};
    });
  },
};

function kindsOf(world: World): readonly string[] {
  const { keyPair, password } = world.settings.warehouseKinds;
  return [keyPair, password];
}
