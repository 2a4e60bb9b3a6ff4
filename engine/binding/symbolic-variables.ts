import { RecordValue } from '../expressions/datum.ts';
import type { Scope } from '../expressions/evaluate.ts';
import type { TableName } from '../core/relation.ts';
import { expressionScope, type PipelineVariable } from '../parameters/expression-scope.ts';

/**
 * Values to try, in this order, in place of a value that is unknown before a run. SQL often requires a certain
 * form, such as a number or a day.
 */
export const standIns = ['millrace_unknown', '1', '2000-01-01'] as const;

/**
 * Values to try to find out whether something depends on an unknown value. Includes a list, which changes the
 * number of columns.
 */
export const probes = [...standIns, '2', '2001-02-03', '1, 2'] as const;

/**
 * Values to try to find out whether an unknown value only occurs inside texts: outside of a text, they make a
 * statement invalid.
 */
export const onlyInTexts = ['millrace_unknown', '2000-01-01 00:00:00'] as const;

/** The variables of a pipeline, most of which have no value before a run. */
export interface SymbolicVariables {
  readonly scope: Scope;
  /** A variable, which counts as read. */
  cell(name: string): PipelineVariable | undefined;
  /** A variable as it is declared, which does not count as read. */
  declared(name: string): PipelineVariable | undefined;
  /** The values of these variables are not known from here on. */
  forget(names: Iterable<string>): void;
  /**
   * Forgets which variables were read, and chooses what replaces unknown values. `isProbe`: also for the default of a variable that
   * something sets.
   */
  begin(standIn: string, isProbe?: boolean): void;
  /** The names of all variables. */
  names(): readonly string[];
  /** Whether a grid whose rows are not known was read since. */
  usedGrid(): boolean;
  /** Variables without a known value that were read since, in the order of their first use. */
  unknownReads(): readonly string[];
  /** Whether something that replaces an unknown value was read since. */
  usedStandIn(): boolean;
  /** The variable whose value a name may contain; undefined if the name certainly does not depend on one. */
  unknownIn(name: string): string | undefined;
  /** A message without what replaced unknown values since: `${name}` in its place. Undefined if it cannot be distinguished from other text. */
  shownText(text: string): string | undefined;
  /**
   * The name of a table with `*` in place of what variables without a known value give to it; undefined if the name certainly does not
   * depend on one.
   */
  openName(table: TableName): TableName | undefined;
}

/**
 * Creates the variables of a pipeline, most of which have no value before a run.
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
  /** What replaced the values of those that were read. */
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

/** Whether a text has a number of the value: an error may name a part of it only. */
function hasPart(text: string, value: string): boolean {
  const numbers = new Set(text.match(/\d+/g));
  return (value.match(/\d+/g) ?? []).some((part) => numbers.has(part));
}
