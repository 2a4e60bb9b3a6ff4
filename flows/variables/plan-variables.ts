import type { CurrentVariable } from './current-variables.ts';
import type { Value, WantedVariable, WantedVariables } from './wanted-variables.ts';

/** A change of one field of a variable. */
export interface FieldChange {
  readonly field: 'type' | 'behaviour' | 'description' | 'value' | 'supportsDoubleResolution';
  readonly from: Value | boolean | null;
  readonly to: Value | boolean;
}

/** One change that applying the files would make. */
export type VariableChange =
  | { readonly change: 'create'; readonly variable: string; readonly wanted: WantedVariable }
  | {
      readonly change: 'update';
      readonly variable: string;
      readonly wanted: WantedVariable;
      readonly fields: readonly FieldChange[];
    }
  | {
      readonly change: 'set-override';
      readonly variable: string;
      readonly environment: string;
      readonly from: Value | null;
      readonly to: Value;
    }
  | {
      readonly change: 'delete-override';
      readonly variable: string;
      readonly environment: string;
      readonly from: Value;
    }
  /** Also deletes its overrides (spec §4.6). */
  | { readonly change: 'delete'; readonly variable: string; readonly environments: readonly string[] };

export interface VariablesPlan {
  readonly changes: readonly VariableChange[];
  /** On the platform and not in the files; deleted only with `prune`. */
  readonly unmanaged: readonly { readonly variable: string; readonly environment?: string }[];
}

/**
 * Plans the changes that make the platform match the files. With `prune`, also deletes what the files do not have:
 * a variable only if a file has `variables`, and a value in an environment only if a file names that environment.
 * So a file for one environment never changes another.
 */
export function planVariables(
  desired: WantedVariables,
  current: ReadonlyMap<string, CurrentVariable>,
  prune: boolean,
): VariablesPlan {
  const extra: VariableChange[] = [];
  const changes: VariableChange[] = [];
  for (const [variable, variableSpec] of desired.variables ?? []) {
    const existing = current.get(variable);
    if (existing === undefined) changes.push({ change: 'create', variable, wanted: variableSpec });
    else {
      const fields = fieldChanges(variableSpec, existing);
      if (fields.length > 0) changes.push({ change: 'update', variable, wanted: variableSpec, fields });
    }
  }
  for (const [environment, values] of desired.environments) {
    for (const [variable, { value }] of values) {
      const from = current.get(variable)?.overrides.get(environment) ?? null;
      if (from !== value) changes.push({ change: 'set-override', variable, environment, from, to: value });
    }
  }
  for (const [variable, { overrides }] of current) {
    if (desired.variables !== undefined && !desired.variables.has(variable) && !hasValue(desired, variable)) {
      extra.push({ change: 'delete', variable, environments: [...overrides.keys()] });
      continue;
    }
    for (const [environment, from] of overrides) {
      const values = desired.environments.get(environment);
      if (values !== undefined && !values.has(variable))
        extra.push({ change: 'delete-override', variable, environment, from });
    }
  }
  if (prune) return { changes: [...changes, ...extra], unmanaged: [] };
  const unmanaged = extra.map((change) => ({
    variable: change.variable,
    ...(change.change === 'delete-override' ? { environment: change.environment } : {}),
  }));
  return { changes, unmanaged };
}

/** A variable with a value in an environment is wanted. */
function hasValue({ environments }: WantedVariables, variable: string): boolean {
  return [...environments.values()].some((values) => values.has(variable));
}

function fieldChanges(desired: WantedVariable, { variable }: CurrentVariable): FieldChange[] {
  const pairs = [
    ['type', variable.type, desired.type],
    ['behaviour', variable.behaviour, desired.behaviour],
    ['description', variable.description, desired.description],
    ['value', variable.value, desired.value],
    ['supportsDoubleResolution', variable.supportsDoubleResolution, desired.supportsDoubleResolution],
  ] as const;
  return pairs.flatMap(([field, from, to]) =>
    to === undefined || same(from, to, field) ? [] : [{ field, from: from ?? null, to }],
  );
}

/** An absent flag is false, an absent description is empty, and an absent value is not a value. */
function same(
  from: Value | boolean | null | undefined,
  to: Value | boolean,
  field: FieldChange['field'],
): boolean {
  if (from !== undefined && from !== null) return from === to;
  return to === false || (field === 'description' && to === '');
}
