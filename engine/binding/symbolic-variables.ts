import { RecordValue } from '../expressions/datum.ts';
import type { Scope } from '../expressions/evaluate.ts';
import { expressionScope, type PipelineVariable } from '../parameters/expression-scope.ts';

/**
 * What replaces values that are not known before a run, one after the other: SQL often wants a certain form, such as a
 * number or a day.
 */
const STAND_INS = ['millrace_unknown', '1', '2000-01-01'] as const;

export const standInCount: number = STAND_INS.length;

/** The variables of a pipeline, most of which have no value before a run. */
export interface SymbolicVariables {
  readonly scope: Scope;
  /** A variable, which counts as read. */
  cell(name: string): PipelineVariable | undefined;
  /** A variable as it is declared, which does not count as read. */
  declared(name: string): PipelineVariable | undefined;
  /** The values of these variables are not known from here on. */
  forget(names: Iterable<string>): void;
  /** Forgets which variables were read, and chooses the stand-in for unknown values: 0 to `standInCount` - 1. */
  begin(standIn: number): void;
  /** Variables without a known value that were read since, in the order of their first use. */
  unknownReads(): readonly string[];
  /** Whether a stand-in was read since. */
  usedStandIn(): boolean;
  /** The variable whose value a name may contain; undefined if the name certainly does not depend on one. */
  unknownIn(name: string): string | undefined;
}

/**
 * @param declared the variables of the pipeline with their defaults
 * @param unknown names of variables that callers set
 */
export function symbolicVariables(
  declared: ReadonlyMap<string, PipelineVariable>,
  unknown: Iterable<string>,
  now: number,
): SymbolicVariables {
  const varying = new Set(unknown);
  const reads = new Map<string, string>();
  let standIn: string = STAND_INS[0];
  let isStandInUsed = false;

  const read = (name: string): PipelineVariable => {
    const cell = declared.get(name);
    if (cell !== undefined && typeof cell.value !== 'string') {
      if (cell.value.length === 0 || varying.has(name)) reads.set(name, '');
      return cell;
    }
    const known = typeof cell?.value === 'string' ? cell.value : '';
    if (known !== '' && !varying.has(name)) return cell ?? { type: 'TEXT', columns: [], value: known };
    const value = known === '' ? (cell?.type === 'NUMBER' ? '1' : standIn) : known;
    if (known === '') isStandInUsed = true;
    reads.set(name, value);
    return { type: cell?.type ?? 'TEXT', columns: [], value };
  };
  const sysvar = new RecordValue([
    ['project', new RecordValue([['id', STAND_INS[0]]])],
    ['environment', new RecordValue([['name', STAND_INS[0]]])],
    ['rootPipeline', new RecordValue([['executionId', STAND_INS[0]]])],
  ]);
  const inner = expressionScope({ cell: read }, { now, sysvar });
  const scope: Scope = {
    now,
    text: (name) => inner.text?.(name),
    variable(name) {
      if (name === 'sysvar') reads.set('sysvar', STAND_INS[0]);
      return inner.variable(name);
    },
  };
  return {
    scope,
    cell: read,
    declared: (name) => declared.get(name) ?? { type: 'TEXT', columns: [], value: '' },
    forget(names) {
      for (const name of names) varying.add(name);
    },
    begin(index) {
      standIn = STAND_INS[index] ?? STAND_INS[0];
      isStandInUsed = false;
      reads.clear();
    },
    unknownReads: () => [...reads.keys()],
    usedStandIn: () => isStandInUsed,
    unknownIn: (name) =>
      [...reads].find(([, value]) => value !== '' && name.toLowerCase().includes(value.toLowerCase()))?.[0],
  };
}
