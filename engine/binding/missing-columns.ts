import type { TableName } from '../core/relation.ts';
import type { Part } from './binder-types.ts';
import { codeOf, messageOf, nameIn, placeOf } from './binding-error.ts';
import type { BindingProblem } from './bound-pipeline.ts';
import type { SymbolicVariables } from './symbolic-variables.ts';

/** More columns that one part lacks are not looked for. */
const maxMissing = 20;

/** Collects the columns that are missing while something runs. */
export function collectMissing(): {
  /** For `DialectContext.missingColumn`. */
  readonly note: (error: Error) => boolean;
  /** The errors of the columns, at most 20. What else fails only ends the search: with NULL in place of a column, anything may fail. */
  readonly during: (work: () => Promise<unknown>) => Promise<readonly Error[]>;
} {
  let missing: Error[] | undefined;
  return {
    note(error) {
      if (missing === undefined || missing.length >= maxMissing || codeOf(error) !== 'missing-column')
        return false;
      missing.push(error);
      return true;
    },
    async during(work) {
      const errors: Error[] = [];
      missing = errors;
      try {
        await work();
      } catch {
        return errors;
      } finally {
        missing = undefined;
      }
      return errors;
    },
  };
}

/**
 * The problems of the other missing columns of a part. The cause of each may also be a variable without a known
 * value.
 */
export async function otherProblems(
  first: unknown,
  {
    part,
    work,
    attempts,
    variables,
    excuseOf,
    tables,
  }: {
    readonly part: Part;
    readonly work: () => Promise<unknown>;
    readonly attempts: { missingColumns(work: () => Promise<unknown>): Promise<readonly Error[]> };
    readonly variables: SymbolicVariables;
    readonly excuseOf: (error: unknown, part: Part, isAlways: boolean) => string | undefined;
    readonly tables: readonly TableName[];
  },
): Promise<readonly BindingProblem[]> {
  if (codeOf(first) !== 'missing-column' || variables.unknownReads().length > 0) return [];
  const problems = new Map<string, BindingProblem>();
  for (const error of await attempts.missingColumns(work)) {
    const message = messageOf(error);
    if (message === messageOf(first) || problems.has(message) || excuseOf(error, part, true) !== undefined)
      continue;
    problems.set(message, {
      component: part.component.name,
      place: placeOf(error) ?? part.place,
      message,
      code: codeOf(error),
      column: nameIn(error),
      tables,
    });
  }
  return [...problems.values()];
}
