import { ParameterError } from '../parameters/parameter-error.ts';
import { SqlError } from '../core/refusal.ts';
import type { Attempts } from './attempts.ts';
import type { BindingContext, Part } from './binder-types.ts';
import { codeOf, unplacedMessage, nameIn } from './binding-error.ts';
import { certain, type Certainty } from './bound-pipeline.ts';
import type { SymbolicVariables } from './symbolic-variables.ts';

/**
 * Creates a function that decides whether the failure of a part is certainly the fault of the pipeline. That function
 * returns undefined if it is. Otherwise it returns the reason why the pipeline may be correct, or '' if the message
 * of the failure already says so.
 * @param options `tables` and `components` say what is certain about their columns. `inputs` says what is certain
 * about everything that a part reads.
 */
export function createFailureExcuse({
  attempts,
  variables,
  tableOf,
  tables,
  components,
  inputs,
}: {
  readonly attempts: Attempts;
  readonly variables: SymbolicVariables;
  readonly tableOf: BindingContext['tableOf'];
  readonly tables: ReadonlyMap<string, Certainty>;
  readonly components: ReadonlyMap<string, Certainty>;
  readonly inputs: (part: Part) => readonly Certainty[];
}): (error: unknown, part: Part, isAlways: boolean) => string | undefined {
  const { created } = attempts;

  function excuseOf(error: unknown, part: Part, isAlways: boolean): string | undefined {
    const code = codeOf(error);
    const [variable] = variables.unknownReads();
    // A column that is missing is missing whatever the values are, unless its name or its table depends on one.
    if (variable !== undefined && !(isAlways && isWithoutUnknown(error)))
      return `the value of the variable "${variable}" is only known when the pipeline runs`;
    if (!(error instanceof SqlError || error instanceof ParameterError)) return '';
    // Whether something is there depends on what ran before.
    if (code === 'missing-table' || code === 'exists' || code === 'missing-object') return '';
    if (code === 'other-kind' && [...attempts.recording.found.keys()].some((sql) => created.has(sql)))
      return 'another pipeline or definition also creates it, as a table or as a view';
    const isSure =
      code === 'missing-column'
        ? hasNowhere(nameIn(error), part)
        : inputs(part).every(
            ({ areNamesComplete, areTypesKnown }) =>
              areTypesKnown && (areNamesComplete || code !== 'ambiguous-column'),
          );
    return isSure ? undefined : 'it reads a table whose columns cannot be determined';
  }

  /** Whether it is certain that none of the tables that were found can have the column. */
  function hasNowhere(column: string | undefined, { sources = [] }: Part): boolean {
    const areTables = [...attempts.recording.found].every(([sql, table]) => {
      const project = tableOf(table, created.has(sql));
      if (!(tables.get(sql) ?? certain).areNamesComplete || project?.areNamesComplete === false) return false;
      return (
        project?.columns.some(({ name }) => name === column) !== true ||
        table.columns.some(({ name }) => name === column)
      );
    });
    return areTables && sources.every((name) => (components.get(name) ?? certain).areNamesComplete);
  }

  function isWithoutUnknown(error: unknown): boolean {
    const names = [...attempts.recording.found.values()].map(
      ({ database, schema, table }) => `${database}.${schema}.${table}`,
    );
    return [unplacedMessage(error), ...names].every((text) => variables.unknownIn(text) === undefined);
  }

  return excuseOf;
}
