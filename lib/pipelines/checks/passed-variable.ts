import type { PipelineDocument } from '../model/read-pipeline.ts';
import { gridFault, type GridColumns, valueFault, widthFault } from '../model/variable-value.ts';
import type { CheckBreach } from './breach.ts';
import type { CallFact, PassedVariable } from './call-facts.ts';

/** The facts about the variables of a pipeline that a call must match. */
export interface DeclaredVariable extends GridColumns {
  readonly type: string;
  readonly isPrivate: boolean;
}

/** The variables of a pipeline by name; undefined if its file cannot be read. */
export type DeclaredVariables = ReadonlyMap<string, DeclaredVariable> | undefined;

export function declaredVariables({ variables, problems }: PipelineDocument): DeclaredVariables {
  if (problems.length > 0) return undefined;
  return new Map(
    Array.from(variables, ([name, { type, visibility, columns, columnTypes }]) => [
      name,
      { type, isPrivate: visibility === 'PRIVATE', columns, columnTypes },
    ]),
  );
}

/**
 * Finds passed variables that the called pipeline cannot accept: it does not declare them, or they are private or
 * of another type.
 */
export function refusedVariables(
  file: string,
  { component, passed }: CallFact,
  called: { readonly path: string; readonly variables: ReadonlyMap<string, DeclaredVariable> },
  isProjectVariable: (name: string) => boolean,
): readonly CheckBreach[] {
  return passed.flatMap((variable) => {
    const { name, range } = variable;
    const declared = called.variables.get(name);
    // A project variable has a type that only the platform knows.
    if (declared === undefined && isProjectVariable(name)) return [];
    const reason = refusalOf(declared, variable);
    if (reason === undefined) return [];
    const message = `The component "${component}" passes the variable "${name}" to "${called.path}", ${reason}.`;
    return { check: 'passed-variable', file, component, subject: name, message, range };
  });
}

/** Finds passed variables that no pipeline could accept. */
export function passingBreaches(file: string, { component, faults }: CallFact): readonly CheckBreach[] {
  return faults.map(({ subject, message, range }) => ({
    check: 'passed-variable',
    file,
    component,
    subject,
    message: `The component "${component}" ${message}.`,
    range,
  }));
}

/** Why a variable cannot have a value, as an end of the sentence. The platform's reaction is in unknowns §5. */
function refusalOf(
  declared: DeclaredVariable | undefined,
  { value, rows, width }: PassedVariable,
): string | undefined {
  if (declared === undefined) return 'which does not declare it';
  if (declared.isPrivate) return 'where it is private';
  const isGrid = declared.type === 'GRID';
  if (value === undefined) {
    if (!isGrid) return 'where it is not a grid';
    const fault =
      width === undefined ? gridFault(declared, rows ?? [], isFixed) : widthFault(declared.columns, width);
    return fault === undefined ? undefined : `where ${fault}`;
  }
  if (isGrid) return 'where it is a grid: pass it in setGridVariables';
  const fault = isFixed(value) ? valueFault(declared.type, value) : undefined;
  return fault === undefined ? undefined : `where it ${fault}`;
}

function isFixed(text: string): boolean {
  return !text.includes('${');
}
