import { RecordValue } from '../expressions/datum.ts';
import type { Scope } from '../expressions/evaluate.ts';
import type { TableName } from '../core/relation.ts';
import { expressionScope, type PipelineVariable } from '../parameters/expression-scope.ts';

/**
 * The values that replace an unknown value before a run, in the order in which they are tried. SQL often requires a
 * certain form, such as a number or a day.
 */
export const standIns = ['millrace_unknown', '1', '2000-01-01'] as const;

/**
 * The values that are tried to find out whether something depends on an unknown value. One of them is a list, which
 * changes the number of columns.
 */
export const probes = [...standIns, '2', '2001-02-03', '1, 2'] as const;

/**
 * The values that are tried to find out whether an unknown value occurs only inside texts. Outside a text, they make
 * a statement invalid.
 */
export const onlyInTexts = ['millrace_unknown', '2000-01-01 00:00:00'] as const;

/** The variables of a pipeline before a run. Most of them have no value yet. */
export interface SymbolicVariables {
  readonly scope: Scope;
  /** Returns a variable, and counts it as read. */
  cell(name: string): PipelineVariable | undefined;
  /** Returns a variable as it is declared, without counting it as read. */
  declared(name: string): PipelineVariable | undefined;
  /** Makes the values of these variables unknown from now on. */
  forget(names: Iterable<string>): void;
  /**
   * Clears the record of which variables were read, and sets the value that replaces unknown values. `isProbe`: the
   * value also replaces the default value of a variable that something sets.
   */
  begin(standIn: string, isProbe?: boolean): void;
  /** The names of all variables. */
  names(): readonly string[];
  /** Whether a grid variable whose rows are unknown was read since `begin`. */
  usedGrid(): boolean;
  /** The variables with an unknown value that were read since `begin`, in the order of their first use. */
  unknownReads(): readonly string[];
  /** Whether a value that replaces an unknown value was read since `begin`. */
  usedStandIn(): boolean;
  /**
   * The variable whose value a name may contain. Undefined if the name certainly does not depend on a variable with
   * an unknown value.
   */
  unknownIn(name: string): string | undefined;
  /**
   * The message with `${name}` in place of each value that replaced an unknown value. Undefined if such a value
   * cannot be distinguished from other text.
   */
  shownText(text: string): string | undefined;
  /**
   * The name of a table with `*` in place of the values of variables whose values are unknown. Undefined if the name
   * certainly does not depend on such a variable.
   */
  openName(table: TableName): TableName | undefined;
}

/**
 * Creates the variables of a pipeline. Most of them have no value before a run.
 * @param declared the variables of the pipeline with their default values
 * @param unknown the names of the variables that callers set
 */
export function symbolicVariables(
  declared: ReadonlyMap<string, PipelineVariable>,
  unknown: Iterable<string>,
  now: number,
): SymbolicVariables {
  const varying = new Set(unknown);
  const reads = new Map<string, string>();
  /** The values that replaced the unknown values of the variables that were read. */
  const replaced = new Map<string, string>();
  let standIn: string = standIns[0];
  let isProbe = false;
  let isStandInUsed = false;
  let isGridUsed = false;

  const read = (name: string): PipelineVariable => {
    const cell = declared.get(name);
    if (cell !== undefined && typeof cell.value !== 'string') {
      if (cell.value.length === 0 || varying.has(name)) {
        reads.set(name, '');
        isGridUsed = true;
      }
      return cell;
    }
    const known = typeof cell?.value === 'string' ? cell.value : '';
    if (known !== '' && !varying.has(name)) return cell ?? { type: 'TEXT', columns: [], value: known };
    const isReplaced = known === '' || isProbe;
    const value = isReplaced ? standInFor(cell?.type) : known;
    if (isReplaced) {
      isStandInUsed = true;
      replaced.set(name, value);
    }
    reads.set(name, value);
    return { type: cell?.type ?? 'TEXT', columns: [], value };
  };
  const standInFor = (type: string | undefined) =>
    type === 'NUMBER' && !/^\d+$/.test(standIn) ? '1' : standIn;
  const plain = (text: string) => text.toLowerCase().replaceAll('"', '');
  const sysvar = new RecordValue([
    ['project', new RecordValue([['id', standIns[0]]])],
    ['environment', new RecordValue([['name', standIns[0]]])],
    ['rootPipeline', new RecordValue([['executionId', standIns[0]]])],
  ]);
  const inner = expressionScope({ cell: read }, { now, sysvar });
  const scope: Scope = {
    now,
    text: (name) => inner.text?.(name),
    variable(name) {
      if (name === 'sysvar') {
        reads.set('sysvar', standIns[0]);
        replaced.set('sysvar', standIns[0]);
      }
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
    begin(next, isNextProbe = false) {
      standIn = next;
      isProbe = isNextProbe;
      isStandInUsed = false;
      isGridUsed = false;
      reads.clear();
      replaced.clear();
    },
    names: () => [...declared.keys()],
    usedGrid: () => isGridUsed,
    unknownReads: () => [...reads.keys()],
    usedStandIn: () => isStandInUsed,
    unknownIn(name) {
      return [...reads].find(([, value]) => value !== '' && plain(name).includes(plain(value)))?.[0];
    },
    shownText(text) {
      const values = [...replaced];
      // The lines after the first one are advice, which may repeat what the component has.
      const free = [text, ...text.split('\n', 1)].find((part) =>
        values.every(([, value]) => value === standIns[0] || !hasPart(part, value)),
      );
      return values.reduce(
        (shown, [name]) => shown && replaceIgnoringCase(shown, standIns[0], `\${${name}}`),
        free,
      );
    },
    openName({ database, schema, table }) {
      const values = [...reads.values()].map(plain).filter((value) => value !== '');
      const open = (name: string) =>
        values.reduce((text, value) => replaceIgnoringCase(text, value, '*'), name);
      const named = { database: open(database), schema: open(schema), table: open(table) };
      const isSure = named.database === database && named.schema === schema && named.table === table;
      return isSure ? undefined : named;
    },
  };
}

function replaceIgnoringCase(text: string, part: string, by: string): string {
  const at = text.toLowerCase().indexOf(part);
  if (at < 0) return text;
  return `${text.slice(0, at)}${by}${replaceIgnoringCase(text.slice(at + part.length), part, by)}`;
}

/** Whether a text contains a number of the value. An error message may contain only a part of the value. */
function hasPart(text: string, value: string): boolean {
  const numbers = new Set(text.match(/\d+/g));
  return (value.match(/\d+/g) ?? []).some((part) => numbers.has(part));
}
