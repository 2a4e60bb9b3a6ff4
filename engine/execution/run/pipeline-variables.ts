import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { defaultFault, type Variable } from '../../../lib/pipelines/model/variable.ts';
import type { ProjectVariable } from './execution-request.ts';
import {
  type Cell,
  createVariables,
  forkCells,
  gridRefusal,
  refusalOf,
  type Variables,
} from './variables.ts';

/** The values that a caller passes for the variables of a pipeline. */
export interface GivenValues {
  readonly scalars: Iterable<readonly [name: string, value: string]>;
  readonly grids: Iterable<readonly [name: string, rows: Grid]>;
}

/**
 * The project variables at the start of an execution. A SHARED variable has one value for the whole execution; of a
 * COPIED variable, each pipeline gets its own copy.
 */
export function projectCells(variables: ReadonlyMap<string, ProjectVariable>): ReadonlyMap<string, Cell> {
  return new Map(
    [...variables].map(([name, { type, behaviour, value }]) => [
      name,
      { type, copied: behaviour === 'COPIED', columns: [], value: String(value) },
    ]),
  );
}

/**
 * Creates the variables of one execution of a pipeline. Values that the caller passes take precedence over the
 * pipeline's defaults, and these take precedence over the project's variables. If the pipeline cannot start, returns
 * the reason instead: a value for a variable that is not declared or is PRIVATE, or a value of the wrong type. It is
 * unknown what a real platform does in these cases; Millrace reports them, so that a misspelt name is noticed.
 */
export function pipelineVariables(
  document: PipelineDocument,
  project: ReadonlyMap<string, Cell>,
  values: GivenValues,
): { readonly variables: Variables } | { readonly refusal: string } {
  const cells = forkCells(project);
  for (const variable of document.variables.values()) cells.set(variable.name, cellOf(variable));

  const target = (name: string): Cell | string => {
    if (document.variables.get(name)?.visibility === 'PRIVATE') {
      return `the variable "${name}" is private to the pipeline, so a caller cannot set it`;
    }
    return cells.get(name) ?? `the pipeline has no variable "${name}"`;
  };
  for (const [name, value] of values.scalars) {
    const cell = target(name);
    if (typeof cell === 'string') return { refusal: cell };
    const refusal = refusalOf(cell, name, value);
    if (refusal !== undefined) return { refusal };
    // A new cell, because other pipelines must not see the value.
    cells.set(name, { ...cell, value });
  }
  for (const [name, rows] of values.grids) {
    const cell = target(name);
    if (typeof cell === 'string') return { refusal: cell };
    if (cell.type !== 'GRID') return { refusal: `the variable "${name}" is not a grid` };
    const refusal = gridRefusal(cell, name, rows);
    if (refusal !== undefined) return { refusal };
    cells.set(name, { ...cell, value: rows });
  }
  const refused = defaultRefusal(document, values);
  return refused === undefined ? { variables: createVariables(cells) } : { refusal: refused };
}

/** Why a variable cannot have its default, if the caller passes no value for it. */
function defaultRefusal(
  { variables, path }: PipelineDocument,
  { scalars, grids }: GivenValues,
): string | undefined {
  const givenNames = new Set([...scalars, ...grids].map(([name]) => name));
  for (const variable of variables.values()) {
    const refusal = givenNames.has(variable.name) ? undefined : refusedDefault(variable);
    const { line, column } = variable.range;
    if (refusal !== undefined) return `${path}:${line}:${column}: the default value is refused: ${refusal}`;
  }
  return undefined;
}

/** Explains why a variable cannot have its default value, so that the pipeline cannot start. Undefined if it can. */
export function refusedDefault(variable: Variable): string | undefined {
  const fault = defaultFault(variable);
  if (fault === undefined) return undefined;
  return `the variable "${variable.name}"${typeof variable.defaultValue === 'object' ? ':' : ''} ${fault}`;
}

function cellOf({ type, scope, columns, columnTypes, defaultValue }: Variable): Cell {
  return {
    type,
    copied: scope === 'COPIED',
    columns,
    columnTypes,
    value: defaultValue ?? (type === 'GRID' ? [] : ''),
  };
}
