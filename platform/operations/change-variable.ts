import { recordEffect } from '../world/effect.ts';
import { badRequest } from '../refusal/refusal.ts';
import type { Handler } from './handler.ts';
import { fits, overridesOf, requireVariable } from './variable-rows.ts';

/**
 * Updates fields of a variable (spec §4.6). "Required even if unchanged" means that the type may change; the value
 * and the overrides must match the new type (§2.9).
 */
export const changeVariable: Handler<'variables.update'> = (call, world) =>
  world.store.transaction(() => {
    const { body, params, project, caller, operation, requestId, instance } = call;
    const variable = requireVariable(world, project.id, params.variableName);
    const value: unknown = body.value ?? JSON.parse(variable.value);
    if (value !== null && !fits(body.type, value))
      throw badRequest(instance, [`value must match the type ${body.type} (§2.9)`]);
    const misfits = overridesOf(world, variable.id).filter((row) => !fits(body.type, JSON.parse(row.value)));
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
  });
