import type { PipelineDocument } from '../model/read-pipeline.ts';
import { valueFault } from '../model/variable-value.ts';
import type { CheckBreach } from './breach.ts';
import type { CallFact } from './call-facts.ts';

/** The facts about the variables of a pipeline that a call must match. */
export interface DeclaredVariable {
  readonly type: string;
  readonly isPrivate: boolean;
}

/** The variables of a pipeline by name; undefined if its file cannot be read. */
export type DeclaredVariables = ReadonlyMap<string, DeclaredVariable> | undefined;

export function declaredVariables({ variables, problems }: PipelineDocument): DeclaredVariables {
  if (problems.length > 0) return undefined;
  return new Map(
    Array.from(variables, ([name, { type, visibility }]) => [
      name,
      { type, isPrivate: visibility === 'PRIVATE' },
    ]),
  );
}

/** Passed variables that the called pipeline cannot take: it does not declare them, or they are private or of another type. */
export function refusedVariables(
  file: string,
  { component, passed }: CallFact,
  called: { readonly path: string; readonly variables: ReadonlyMap<string, DeclaredVariable> },
  isProjectVariable: (name: string) => boolean,
): readonly CheckBreach[] {
  return passed.flatMap(({ name, value, range }) => {
    const declared = called.variables.get(name);
    // A project variable has a type that only the platform knows.
    if (declared === undefined && isProjectVariable(name)) return [];
    const reason = refusalOf(declared, value);
    if (reason === undefined) return [];
    const message = `The component "${component}" passes the variable "${name}" to "${called.path}", ${reason}.`;
    return { check: 'passed-variable', file, component, subject: name, message, range };
  });
}

/** Why a variable cannot have a value, as an end of the sentence. The platform's reaction is in unknowns §5. */
function refusalOf(declared: DeclaredVariable | undefined, value: string | undefined): string | undefined {
  if (declared === undefined) return 'which does not declare it';
  if (declared.isPrivate) return 'where it is private';
  const isGrid = declared.type === 'GRID';
  if (value === undefined) return isGrid ? undefined : 'where it is not a grid';
  if (isGrid) return 'where it is a grid: pass it in setGridVariables';
  const fault = value.includes('${') ? undefined : valueFault(declared.type, value);
  return fault === undefined ? undefined : `where it ${fault}`;
}
