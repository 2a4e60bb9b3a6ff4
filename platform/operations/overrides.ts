import { allows, levelIn } from '../world/access-level.ts';
import { recordEffect } from '../world/effect.ts';
import { refuse } from '../refusal/refusal.ts';
import type { Caller } from '../world/caller.ts';
import type { Project } from '../world/project.ts';
import type { World } from '../world/world.ts';
import type { AreaHandlers } from './handler.ts';
import { hasVariableType, overridesOf, requireVariable, type VariableRow } from './variable-rows.ts';

/** Environment overrides of a variable (spec §4.6). */
export const overrides: AreaHandlers<'overrides'> = {
  'overrides.list': ({ params, query, project, caller }, world) => {
    const { id, name, type } = requireVariable(world, project.id, params.variableName);
    const rows = overridesOf(world, id).filter(
      ({ environment_name: environment }) =>
        (query.environmentName === undefined || environment === query.environmentName) &&
        levelIn(world, project, environment, caller) !== 'noAccess',
    );
    return {
      variable: { id, name, type },
      overrides: rows.map((row) => ({
        environmentName: row.environment_name,
        value: JSON.parse(row.value) as unknown,
      })),
    };
  },

  'overrides.set': ({ params, body, project, caller, operation, requestId }, world) =>
    world.store.transaction(() => {
      const variable = requireVariable(world, project.id, params.variableName);
      const judged = body.overrides.map((override) => ({
        ...override,
        reason: rejectionReason(world, { project, caller, variable, ...override }),
      }));
      // Rule 2: an override that cannot be applied is reported, and the others are applied.
      const successful = judged.filter(({ reason }) => reason === undefined);
      for (const { environmentName, value } of successful) {
        // Rule 1: create, or update an existing one.
        world.store.run(
          `INSERT INTO variable_override VALUES (?, ?, ?)
           ON CONFLICT (variable_id, environment_name) DO UPDATE SET value = excluded.value`,
          variable.id,
          environmentName,
          JSON.stringify(value),
        );
        recordEffect(world, {
          operation,
          caller,
          requestId,
          projectId: project.id,
          effect: 'set',
          subject: { type: 'override', id: `${variable.name}/${environmentName}`, name: variable.name },
          description: `Variable "${variable.name}" was overridden in "${environmentName}"`,
        });
      }
      return {
        variableName: variable.name,
        type: variable.type,
        successfulOverrides: successful.map(({ environmentName, value }) => ({ environmentName, value })),
        failedOverrides: judged.filter(({ reason }) => reason !== undefined),
      };
    }),

  'overrides.delete': ({ params, project, caller, operation, requestId }, world) =>
    world.store.transaction(() => {
      const variable = requireVariable(world, project.id, params.variableName);
      const removed = world.store.run(
        'DELETE FROM variable_override WHERE variable_id = ? AND environment_name = ?',
        variable.id,
        params.environmentName,
      );
      if (removed === 0)
        throw refuse(404, `The variable "${variable.name}" has no override in "${params.environmentName}".`);
      recordEffect(world, {
        operation,
        caller,
        requestId,
        projectId: project.id,
        effect: 'deleted',
        subject: { type: 'override', id: `${variable.name}/${params.environmentName}`, name: variable.name },
        description: `The override of "${variable.name}" in "${params.environmentName}" was deleted`,
      });
    }),
};

interface RequestedOverride {
  readonly project: Project;
  readonly caller: Caller;
  readonly variable: VariableRow;
  readonly environmentName: string;
  readonly value: string | number;
}

/** Why an override cannot be applied (spec §4.6 rule 2); `undefined` if it can. */
function rejectionReason(
  world: World,
  { project, caller, variable, environmentName, value }: RequestedOverride,
): string | undefined {
  const level = levelIn(world, project, environmentName, caller);
  if (level === undefined || level === 'noAccess') return 'The environment does not exist.';
  if (!allows(level, 'admin'))
    return `No permission to create or edit overrides: the access level is ${level}, and this needs admin.`;
  if (hasVariableType(variable.type, value)) return undefined;
  return `The value type is incompatible with the variable type ${variable.type}.`;
}
