import type { TableName } from '../core/relation.ts';
import type { Part } from './binder-types.ts';
import { codeOf, unplacedMessage, nameIn, placeOf } from './binding-error.ts';
import type { BindingProblem } from './bound-pipeline.ts';
import type { SymbolicVariables } from './symbolic-variables.ts';

/** The maximum number of missing columns to look for in one part. */
const maxMissing = 20;

/** Collects the errors about columns that turn out to be missing while some work runs. */
export function collectMissing(): {
  /** The callback for `DialectContext.missingColumn`. */
  readonly note: (error: Error) => boolean;
  /**
   * Runs the work and returns the errors about missing columns, at most 20. Any other error only ends the search:
   * anything may fail after a missing column was replaced by NULL.
   */
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
 * The problems for the other missing columns of a part. A variable without a known value may be the cause of each of
 * them.
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
    const message = unplacedMessage(error);
    if (
      message === unplacedMessage(first) ||
      problems.has(message) ||
      excuseOf(error, part, true) !== undefined
    )
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
