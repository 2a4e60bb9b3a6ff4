import { refuse } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';

export interface VariableRow {
  readonly id: string;
  readonly name: string;
  readonly type: 'TEXT' | 'NUMBER';
  readonly behaviour: string;
  readonly description: string | null;
  /** JSON; `null` if the variable has no value. */
  readonly value: string;
  readonly double_resolution: number;
}

export interface OverrideRow {
  readonly environment_name: string;
  readonly value: string;
}

/** Finds a variable by name. @throws Refusal 404 */
export function requireVariable(world: World, projectId: string, name: string): VariableRow {
  const row = world.store.get<VariableRow>(
    'SELECT * FROM variable WHERE project_id = ? AND name = ?',
    projectId,
    name,
  );
  if (row === undefined) throw refuse(404, `The variable "${name}" does not exist.`);
  return row;
}

export function overridesOf(world: World, variableId: string): readonly OverrideRow[] {
  return world.store.all<OverrideRow>(
    `SELECT environment_name, value FROM variable_override WHERE variable_id = ? ORDER BY environment_name`,
    variableId,
  );
}

/** Whether a value has a variable's type (spec §2.9): TEXT accepts strings only, NUMBER numbers only. */
export function hasVariableType(type: 'TEXT' | 'NUMBER', value: unknown): boolean {
  return typeof value === (type === 'TEXT' ? 'string' : 'number');
}
