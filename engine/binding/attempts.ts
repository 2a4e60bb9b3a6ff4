import type { TableName } from '../core/relation.ts';
import { codeOf, isAboutNames, isExpected, unplacedMessage } from './binding-error.ts';
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

/** A table that an attempt to bind a part of a pipeline looked up. */
export interface SearchedTable {
  readonly table: TableName;
  /** If the table's name depends on an unknown value: the name with `*` in place of that value. Otherwise undefined. */
  readonly open: TableName | undefined;
}

/** The name of a table about which nothing is known: it may be any table. */
export const anyTable: TableName = { database: '*', schema: '*', table: '*' };

/** Tries to bind the parts of a pipeline until it succeeds, and records what the last attempt used. */
export interface Attempts {
  readonly recording: Recording;
  /** Says what is certain about the columns of the last part, whatever the unknown values are. */
  readonly dependence: Dependence;
  /** Why the last part may treat rows differently for other unknown values. Undefined if it does not. Needs `traces`. */
  readonly doubt: string | undefined;
  /** The tables that were created only because a part looked them up, by their names in DuckDB's SQL. */
  readonly created: Set<string>;
  /** The tables that the attempts to bind the last part looked up, by their names in DuckDB's SQL. */
  searchedTables(): ReadonlyMap<string, SearchedTable>;
  /** Clears what was recorded about the last part. */
  begin(): void;
  /** Undefined if the part could be bound. `failsAlways`: whether it fails in the same way for all unknown values. */
  run(
    part: Pick<Part, 'output' | 'uses'>,
    work: () => Promise<unknown>,
  ): Promise<{ readonly error: unknown; readonly failsAlways: boolean } | undefined>;
  /**
   * Finds the columns that a part lacks, if it could not be bound because of one, and returns an error for each. A missing column counts as
   * NULL, so that the next one can be found. The records about the last attempt do not change.
   */
  missingColumns(work: () => Promise<unknown>): Promise<readonly Error[]>;
  /** The callback for `DialectContext.missingColumn`. */
  readonly missingColumn: (error: Error) => boolean;
}

/** @param parts `tables`: what is certain about the existing tables. Created tables are added. */
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
  /** The tables that earlier attempts to bind the part looked up. */
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

  /** The tables that were looked up. If only some attempts looked up a table, its name is open too. */
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

  /** Drops a table that must not exist, if it was created only because a part looked it up. False if there is no such table. */
  async function dropCreated(error: unknown, dropped: Set<string>): Promise<boolean> {
    if (codeOf(error) !== 'exists') return false;
    const message = unplacedMessage(error);
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

  /** Whether something that a part produced or read may depend on an unknown value. */
  function isOpen({ output, tables: made }: Shape): boolean {
    if (variables.unknownReads().length === 0) return false;
    return output !== undefined || made.length + recording.found.size > 0;
  }

  /** Whether the sources of rows may depend on an unknown value. */
  function isTraced(): boolean {
    return traces && variables.unknownReads().length > 0 && recording.changed.length > 0;
  }

  /** The reason for a doubt. A value that occurs only inside texts can have a form that is impossible in other places of SQL. */
  async function doubtAbout(
    variable: string,
    values: readonly string[],
    part: Pick<Part, 'output'>,
    work: () => Promise<unknown>,
  ): Promise<string | undefined> {
    const outcomes = dependence.areNamesComplete ? await probe(part, work, values) : [];
    if (outcomes.some((outcome) => 'shape' in outcome)) return undefined;
    return `SQL depends on the variable "${variable}", whose value is only known when the pipeline runs`;
  }

  /** Binds a part once with each of the values that may replace unknown values, and undoes each of these attempts. */
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
        else if (isExpected(error)) outcomes.push({ message: unplacedMessage(error) });
        else throw error;
      }
    }
    return outcomes;
  }

  /** Like `attempt`, but also finds out what depends on unknown values. */
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
    return again && { ...again, failsAlways: failsAlways(unplacedMessage(error), outcomes) };
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
