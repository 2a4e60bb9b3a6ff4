import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import type { CurrentVariable } from './current-variables.ts';
import type { Value } from './wanted-variables.ts';

/** The value of a variable in one environment: its own value there, its default, or none. */
export type ValueInEnvironment =
  { readonly source: 'own' | 'default'; readonly value: Value } | { readonly source: 'none' };

/** A variable with different values of its own in two environments, or with its own value in only one of them. */
export interface ValueDifference {
  readonly variable: string;
  readonly from: ValueInEnvironment;
  readonly to: ValueInEnvironment;
}

/** The variables that differ between two environments, sorted by name. */
export function valueDifferences(
  variables: ReadonlyMap<string, CurrentVariable>,
  { from, to }: { readonly from: string; readonly to: string },
): readonly ValueDifference[] {
  return [...variables.values()]
    .filter(({ overrides }) => overrides.get(from) !== overrides.get(to))
    .map((current) => ({
      variable: current.variable.name,
      from: valueInEnvironment(from, current),
      to: valueInEnvironment(to, current),
    }))
    .toSorted((a, b) => compareTexts(a.variable, b.variable));
}

/**
 * Whether a variable has its own value in the source but not in the target, so that its default applies there (spec
 * §2.9).
 */
export function isMissingInTarget({ from, to }: ValueDifference): boolean {
  return from.source === 'own' && to.source !== 'own';
}

/** The sentence about a variable for which `isMissingInTarget` is true. */
export function describeMissingValue(
  variable: string,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  return `The variable ${variable} has its own value in ${from}, but not in ${to}, where its default applies.`;
}

/** Finds the value of a variable in an environment. */
export function valueInEnvironment(
  environment: string,
  { variable, overrides }: CurrentVariable,
): ValueInEnvironment {
  const own = overrides.get(environment);
  if (own !== undefined) return { source: 'own', value: own };
  const { value } = variable;
  return value === undefined || value === null ? { source: 'none' } : { source: 'default', value };
}
