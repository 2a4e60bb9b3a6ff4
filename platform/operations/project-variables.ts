import type { ProjectVariable } from '../execution/index.ts';
import type { World } from '../world/world.ts';

interface Row {
  readonly name: string;
  readonly type: string;
  readonly behaviour: string;
  readonly value: string;
}

/** The project's variables with their values in an environment: the override if there is one (spec §4.6). */
export function projectVariablesIn(
  world: World,
  projectId: string,
  environment: string,
): ReadonlyMap<string, ProjectVariable> {
  const rows = world.store.all<Row>(
    `SELECT v.name, v.type, v.behaviour, coalesce(o.value, v.value) AS value
     FROM variable v LEFT JOIN variable_override o ON o.variable_id = v.id AND o.environment_name = ?
     WHERE v.project_id = ? ORDER BY v.seq`,
    environment,
    projectId,
  );
  return new Map(
    rows.map(({ name, type, behaviour, value }) => {
      const known = JSON.parse(value) as string | number | null;
      return [name, { type, behaviour, value: known ?? (type === 'NUMBER' ? 0 : '') }];
    }),
  );
}
