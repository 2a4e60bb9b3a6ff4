import { recordEffect } from '../world/effect.ts';
import { badRequest, refuse } from '../refusal/refusal.ts';
import { readPage } from '../store/page.ts';
import type { AreaHandlers } from './handler.ts';
import { hasVariableType, overridesOf, requireVariable, type VariableRow } from './variable-rows.ts';

/** Project variables (spec §2.9, §4.6). */
export const variables: AreaHandlers<'variables'> = {
  'variables.list': ({ query, project }, world) =>
    readPage<VariableRow, unknown>(
      world.store,
      query,
      { sql: 'SELECT * FROM variable WHERE project_id = ? ORDER BY seq', values: [project.id] },
      (row) => ({
        id: row.id,
        name: row.name,
        type: row.type,
        behaviour: row.behaviour,
        description: row.description,
        value: JSON.parse(row.value) as unknown,
        supportsDoubleResolution: row.double_resolution === 1,
      }),
    ),

  'variables.create': ({ body, project, caller, operation, requestId, instance }, world) => {
    const { name, type, value } = body;
    if (value !== undefined && !hasVariableType(type, value))
      throw badRequest(instance, [
        `value must be a ${type === 'TEXT' ? 'text' : 'number'} for the type ${type} (§2.9)`,
      ]);
    const id = world.ids.uuid();
    return world.store.transaction(() => {
      if (
        world.store.get('SELECT 1 FROM variable WHERE project_id = ? AND name = ?', project.id, name) !==
        undefined
      )
        throw refuse(409, `A variable named "${name}" already exists.`);
      world.store.run(
        `INSERT INTO variable (id, project_id, name, type, behaviour, description, value, double_resolution)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        project.id,
        name,
        type,
        body.behaviour,
        body.description ?? null,
        JSON.stringify(value ?? null),
        body.supportsDoubleResolution === true ? 1 : 0,
      );
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: 'created',
        subject: { type: 'variable', id, name },
        description: `Variable "${name}" was created`,
      });
      return { id, name, value: value ?? null };
    });
  },

  /**
   * Updates fields of a variable (spec §4.6). "Required even if unchanged" means that the type may change; the value
   * and the overrides must match the new type (§2.9).
   */
  'variables.update': (call, world) =>
    world.store.transaction(() => {
      const { body, params, project, caller, operation, requestId, instance } = call;
      const variable = requireVariable(world, project.id, params.variableName);
      const value: unknown = body.value ?? JSON.parse(variable.value);
      if (value !== null && !hasVariableType(body.type, value))
        throw badRequest(instance, [`value must match the type ${body.type} (§2.9)`]);
      const misfits = overridesOf(world, variable.id).filter(
        (row) => !hasVariableType(body.type, JSON.parse(row.value)),
      );
      if (misfits.length > 0)
        throw badRequest(
          instance,
          misfits.map(
            (row) => `The override in "${row.environment_name}" does not match the type ${body.type} (§2.9)`,
          ),
        );
      const double = body.supportsDoubleResolution ?? variable.double_resolution === 1;
      world.store.run(
        `UPDATE variable SET type = ?, behaviour = ?, description = ?, value = ?, double_resolution = ? WHERE id = ?`,
        body.type,
        body.behaviour,
        body.description ?? variable.description,
        JSON.stringify(value),
        double ? 1 : 0,
        variable.id,
      );
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: 'changed',
        subject: { type: 'variable', id: variable.id, name: variable.name },
        description: `Variable "${variable.name}" was changed`,
      });
    }),

  'variables.delete': ({ params, project, caller, operation, requestId }, world) =>
    world.store.transaction(() => {
      const variable = requireVariable(world, project.id, params.variableName);
      // The foreign key also deletes the overrides (spec §4.6).
      world.store.run('DELETE FROM variable WHERE id = ?', variable.id);
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: 'deleted',
        subject: { type: 'variable', id: variable.id, name: variable.name },
        description: `Variable "${variable.name}" was deleted with its overrides`,
      });
    }),
};
