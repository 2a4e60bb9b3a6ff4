import type { PlatformContext } from '../../context/context.ts';
import { isSecret } from '../../variables/hide-secret-values.ts';
import { listVariables, withOverrides } from '../../variables/current-variables.ts';
import {
  type ValueDifference,
  type ValueInEnvironment,
  valueDifferences,
} from '../../variables/value-differences.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { mask } from '../../../lib/core/text/redactor.ts';

/** A variable's value in an environment, as a plan shows it. */
export interface PlannedValue {
  /** `own`: a value for this environment; `default`: the variable's own value applies. */
  readonly source: ValueInEnvironment['source'];
  /** Left out if values are hidden, and if there is none. `[secret]` for a variable whose name says that it is secret. */
  readonly value?: string | number;
}

export interface PlannedVariable {
  readonly variable: string;
  /** In the source. */
  readonly from: PlannedValue;
  /** In the target. */
  readonly to: PlannedValue;
}

export interface PlannedVariables {
  /** Which variables were compared: those that affected pipelines use, those that any pipeline uses, or all of the project. */
  readonly scope: 'affected' | 'used' | 'all';
  /** How many variables were read: one request each. */
  readonly read: number;
  /** How many more there are in this scope that were not read. */
  readonly notRead: number;
  readonly differences: readonly PlannedVariable[];
}

/** The maximum number of variables that are read, because the API needs one request for each. */
export const maxVariableReads = 100;

export interface VariablesRequest {
  readonly from: string;
  readonly to: string;
  readonly scope: PlannedVariables['scope'];
  /** Whether the pipelines of the scope use a variable. */
  readonly isUsed: (variable: string) => boolean;
  readonly showValues: boolean;
}

/**
 * The variables of a scope whose values differ between two environments. Reads at most `maxVariableReads`, in the
 * order of their names.
 */
export async function plannedVariables(
  { from, to, scope, isUsed, showValues }: VariablesRequest,
  context: PlatformContext,
): Promise<PlannedVariables> {
  const used = (await listVariables(context))
    .filter(({ name }) => isUsed(name))
    .toSorted((a, b) => compareTexts(a.name, b.name));
  const read = await withOverrides(used.slice(0, maxVariableReads), context);
  return {
    scope,
    read: read.size,
    notRead: Math.max(0, used.length - maxVariableReads),
    differences: valueDifferences(read, { from, to }).map((difference) => shown(difference, showValues)),
  };
}

function shown({ variable, from, to }: ValueDifference, showValues: boolean): PlannedVariable {
  const value = (side: ValueInEnvironment): PlannedValue => {
    if (side.source === 'none' || !showValues) return { source: side.source };
    return { source: side.source, value: isSecret(variable) ? mask : side.value };
  };
  return { variable, from: value(from), to: value(to) };
}
