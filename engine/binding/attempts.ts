import type { TableName } from '../core/relation.ts';
import { codeOf, isAboutNames, isExpected, messageOf } from './binding-error.ts';
import type { Binder, BindingContext, Part } from './binder-types.ts';
import type { Certainty } from './bound-pipeline.ts';
import { collectMissing } from './missing-columns.ts';
import { replacedBy } from './part-tables.ts';
import {
  type Dependence,
  dependenceOf,
  dependent,
  failsAlways,
  independent,
  type Outcome,
  Rehearsal,
  type Shape,
} from './probe.ts';
import { createMissed, newRecording, type Recording } from './recording-warehouse.ts';
import { onlyInTexts, probes, standIns } from './symbolic-variables.ts';

/** A table that an attempt to bind a part looked up. */
export interface SearchedTable {
  readonly table: TableName;
  /** If its name depends on a value that is not known: the name with `*` in place of this value. */
  readonly open: TableName | undefined;
}

/** The name used for a table about which nothing is known. */
export const anyTable: TableName = { database: '*', schema: '*', table: '*' };

/** Repeats the parts of a pipeline until they can be bound, and records what the last attempt used. */
export interface Attempts {
  readonly recording: Recording;
  /** What the columns of the last part depend on. */
  readonly dependence: Dependence;
  /** Why the last part may do something else with rows than it did, whatever the values are that are not known. Only with `traces`. */
  readonly doubt: string | undefined;
  /** Tables that exist because they were looked up, by their names in DuckDB's SQL. */
  readonly created: Set<string>;
  /** The tables that the attempts at the last part looked up, by their names in DuckDB's SQL. */
  searchedTables(): ReadonlyMap<string, SearchedTable>;
  /** Forgets what was used. */
  begin(): void;
  /**
   * Undefined if the part could be bound. `failsAlways`: whether it fails in the same way with all values of the variables that are not
   * known.
   */
  run(
    part: Pick<Part, 'output' | 'uses'>,
    work: () => Promise<unknown>,
  ): Promise<{ readonly error: unknown; readonly failsAlways: boolean } | undefined>;
  /**
   * The columns that a part lacks, as errors, after it could not be bound for one. Each counts as NULL to find the next, until something
   * else fails. What the last attempt used stays as it is.
   */
  missingColumns(work: () => Promise<unknown>): Promise<readonly Error[]>;
  /** For `DialectContext.missingColumn`. */
  readonly missingColumn: (error: Error) => boolean;
}

/** @param parts `tables`: what is certain about the tables that exist; tables that are created are added */
export function createAttempts({
  warehouse,
  variables,
  tableOf,
  traces = false,
  tables,
}: Pick<Binder, 'warehouse' | 'variables'> &
  Pick<BindingContext, 'tableOf' | 'traces'> & { readonly tables: Map<string, Certainty> }): Attempts {
  const created = new Set<string>();
  let recording = newRecording();
  let dependence: Dependence = independent;
  /** What the earlier attempts at the part looked up. */
  let earlier: ReadonlyMap<string, SearchedTable>[] = [];
  let doubt: string | undefined;
  const missing = collectMissing();

  function begin(standIn: string = standIns[0], isProbe = false): void {
    earlier.push(currentTables());
    recording = newRecording();
    warehouse.record(recording);
    variables.begin(standIn, isProbe);
  }

  function currentTables(): ReadonlyMap<string, SearchedTable> {
    return new Map(
      [...recording.found, ...recording.missed].map(([sql, table]) => [
        sql,
        { table, open: variables.openName(table) },
      ]),
    );
  }

  /** A table that only some attempts looked up, in place of another one, has an open name, too. */
  function searchedTables(): ReadonlyMap<string, SearchedTable> {
    const attempts = [...earlier, currentTables()];
    const isReplaced = (sql: string, own: ReadonlyMap<string, SearchedTable>) =>
      attempts.some((other) => !other.has(sql) && [...other.keys()].some((each) => !own.has(each)));
    const all = new Map<string, SearchedTable>();
    for (const own of attempts)
      for (const [sql, { table, open }] of own) {
        const before = all.get(sql);
        // A name that has nothing of one of the values has nothing of the others either.
        const isSure = open === undefined || (before !== undefined && before.open === undefined);
        const replaced = isSure && isReplaced(sql, own) ? anyTable : undefined;
        all.set(sql, { table, open: isSure ? replaced : open });
      }
    return all;
  }

  function forget(): void {
    earlier = [];
    recording = newRecording();
  }

  /** Drops the table that must not exist, if only a look-up has created it. False if there is none. */
  async function dropCreated(error: unknown, dropped: Set<string>): Promise<boolean> {
    if (codeOf(error) !== 'exists') return false;
    const message = messageOf(error);
    const [sql] =
      [...recording.found].find(([key, { table }]) => created.has(key) && message.includes(`"${table}"`)) ??
      [];
    if (sql === undefined) return false;
    await warehouse.run(`DROP TABLE ${sql}`);
    await warehouse.refresh();
    created.delete(sql);
    warehouse.unreadable.delete(sql);
    tables.delete(sql);
    dropped.add(sql);
    return true;
  }

  async function attempt(
    part: Pick<Part, 'uses'>,
    work: () => Promise<unknown>,
  ): Promise<{ readonly error: unknown } | undefined> {
    const dropped = new Set<string>();
    // A table that another pipeline may create later counts, also if a later attempt fails before it is looked up.
    const missed = new Map<string, TableName>();
    for (let standIn = 0; ;) {
      begin(standIns[standIn]);
      try {
        await warehouse.transaction(work);
        return undefined;
      } catch (error) {
        if (error instanceof Rehearsal) return { error };
        if (!isExpected(error)) throw error;
        const facts = { warehouse, tableOf, tables, created };
        // What the part replaces is created only if nothing else is missing: what others make of it says nothing about the part.
        if (await createMissed(recording, dropped.union(replacedBy(part)), facts)) continue;
        if (await createMissed(recording, dropped, facts)) continue;
        if (await dropCreated(error, dropped)) continue;
        if (!variables.usedStandIn() || standIn >= standIns.length - 1) {
          for (const [key, name] of missed) if (!recording.found.has(key)) recording.missed.set(key, name);
          return { error };
        }
        for (const [key, name] of recording.missed)
          if (variables.unknownIn(`${name.database}.${name.schema}.${name.table}`) === undefined)
            missed.set(key, name);
        standIn += 1;
      }
    }
  }

  function shapeOf(part: Pick<Part, 'output'>): Shape {
    const made = recording.changed.filter(({ mode }) => mode === 'define' || mode === 'alter');
    return {
      output: part.output?.(),
      tables: made.map(({ sql, table }) => ({ sql, columns: warehouse.catalog.find(table)?.columns })),
    };
  }

  /** Whether a part made or read something that may depend on a value that is not known. */
  function isOpen({ output, tables: made }: Shape): boolean {
    if (variables.unknownReads().length === 0) return false;
    return output !== undefined || made.length + recording.found.size > 0;
  }

  /** Whether where rows come from may depend on a value that is not known. */
  function isTraced(): boolean {
    return traces && variables.unknownReads().length > 0 && recording.changed.length > 0;
  }

  /** A value that is only inside of texts is possible in a form that SQL alone does not have. */
  async function doubtAbout(
    variable: string,
    values: readonly string[],
    part: Pick<Part, 'output'>,
    work: () => Promise<unknown>,
  ): Promise<string | undefined> {
    const outcomes = dependence.areNamesComplete ? await probe(part, work, values) : [];
    if (outcomes.some((outcome) => 'shape' in outcome)) return undefined;
    return `SQL depends on the variable "${variable}", which has no known value`;
  }

  /** Binds a part with each of the values that may replace those that are not known, and undoes it. */
  async function probe(
    part: Pick<Part, 'output'>,
    work: () => Promise<unknown>,
    values: readonly string[] = probes,
  ): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const standIn of values) {
      begin(standIn, true);
      try {
        await warehouse.transaction(async () => {
          await work();
          throw new Rehearsal(shapeOf(part));
        });
      } catch (error) {
        if (error instanceof Rehearsal) outcomes.push({ shape: error.shape });
        else if (isExpected(error)) outcomes.push({ message: messageOf(error) });
        else throw error;
      }
    }
    return outcomes;
  }

  /** As `attempt`, and finds out what depends on values that are not known. */
  async function run(
    part: Pick<Part, 'output' | 'uses'>,
    work: () => Promise<unknown>,
  ): Promise<{ readonly error: unknown; readonly failsAlways: boolean } | undefined> {
    forget();
    dependence = independent;
    doubt = undefined;
    const first = await attempt(part, async () => {
      await work();
      const shape = shapeOf(part);
      if (isOpen(shape) || isTraced()) throw new Rehearsal(shape);
    });
    if (first === undefined) return undefined;
    const { error } = first;
    if (error instanceof Rehearsal) {
      const [variable = ''] = variables.unknownReads();
      const isGrid = variables.usedGrid();
      if (isOpen(error.shape))
        dependence = isGrid ? dependent : dependenceOf(error.shape, await probe(part, work));
      if (traces) doubt = await doubtAbout(variable, isGrid ? [] : onlyInTexts, part, work);
      const failed = await attempt(part, work);
      return failed && { ...failed, failsAlways: false };
    }
    if (variables.unknownReads().length === 0) return { error, failsAlways: true };
    if (!isAboutNames(error) || variables.usedGrid()) return { error, failsAlways: false };
    const outcomes = await probe(part, work);
    const again = await attempt(part, work);
    return again && { ...again, failsAlways: failsAlways(messageOf(error), outcomes) };
  }
  async function missingColumns(work: () => Promise<unknown>): Promise<readonly Error[]> {
    const before = { recording, earlier };
    begin();
    const trial = () =>
      warehouse.transaction(async () => {
        await work();
        throw new Rehearsal({ output: undefined, tables: [] });
      });
    const errors = await missing.during(trial);
    ({ recording, earlier } = before);
    warehouse.record(recording);
    return errors;
  }

  return {
    missingColumns,
    missingColumn: missing.note,
    get recording() {
      return recording;
    },
    get dependence() {
      return dependence;
    },
    get doubt() {
      return doubt;
    },
    created,
    searchedTables,
    begin() {
      forget();
      begin();
    },
    run,
  };
}
