import { ALL_COLUMNS } from '../core/dialect.ts';
import { type Place, SqlError } from '../core/refusal.ts';
import type { Table, TableName } from '../core/relation.ts';
import { physicalTable } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import {
  type BindingProblem,
  certain,
  type Certainty,
  type OpenUse,
  type TableRead,
  type TableWrite,
  type UnknownComponent,
  type WriteLineage,
} from './bound-pipeline.ts';
import { codeOf, unplacedMessage, nameIn, placeOf } from './binding-error.ts';
import type { Binder, BindingContext, Blamed, Part } from './binder-types.ts';
import { createBrokenViews } from './broken-views.ts';
import { anyTable, createAttempts } from './attempts.ts';
import { standIns } from './symbolic-variables.ts';
import { createFailureExcuse } from './failure-excuse.ts';
import { otherProblems } from './missing-columns.ts';
import { onlyWritten, plain, usesOf } from './part-tables.ts';
import { lineageOf, noSources } from './write-lineage.ts';

/** Where a part failed. Undefined if the failure belongs to another part. */
interface Failure {
  readonly at?: Place;
  readonly isExisting?: boolean;
}

export function createBinder(
  { tableOf, tablesLike, traces }: BindingContext,
  parts: Pick<Binder, 'warehouse' | 'variables' | 'reader'> & {
    readonly blame: (error: unknown, part: Part) => Blamed;
  },
): Binder {
  const { warehouse, variables, reader, blame } = parts;
  const reads: TableRead[] = [];
  const writes: TableWrite[] = [];
  const problems: BindingProblem[] = [];
  const unknown: UnknownComponent[] = [];
  const open: OpenUse[] = [];
  const lineage: WriteLineage[] = [];
  /** For each unknown component, the component that could not be bound and is the cause. */
  const causes = new Map<string, string>();
  /** For each component, the reasons why its rows may come from other sources too. */
  const doubts = new Map<string, ReadonlySet<string>>();
  const tables = new Map<string, Certainty>();
  const components = new Map<string, Certainty>();
  const attempts = createAttempts({ warehouse, variables, tableOf, tables, traces });
  const { created } = attempts;
  const brokenViews = createBrokenViews(warehouse.catalog);
  const excuseOf = createFailureExcuse({ attempts, variables, tableOf, tables, components, inputs });

  function inputs({ sources = [] }: Part): readonly Certainty[] {
    return [
      ...[...attempts.recording.found].map(([sql, table]) => certaintyOfTable(sql, table)),
      ...sources.map((name) => components.get(name) ?? certain),
    ];
  }

  /**
   * What is certain about a table that was found. A definition elsewhere in the project also counts for a table that the pipeline itself has
   * created, because a called pipeline may have replaced the table.
   */
  function certaintyOfTable(sql: string, table: Table): Certainty {
    const own = tables.get(sql) ?? certain;
    const project = tableOf(table, created.has(sql));
    if (project === undefined || created.has(sql)) return own;
    const names = new Set(table.columns.map(({ name }) => name));
    const hasAll = project.columns.every(({ name }) => names.has(name));
    return {
      areNamesComplete: own.areNamesComplete && project.areNamesComplete && hasAll,
      areTypesKnown: own.areTypesKnown && project.areTypesKnown && hasAll,
    };
  }

  /** What is certain about the columns of a part's output. If a part lists its columns, their names are certain. */
  function certaintyOf(part: Part): Certainty {
    const areListed = [...attempts.recording.found].every(
      ([sql, table]) => certaintyOfTable(sql, table).areNamesComplete || !readsAll(sql),
    );
    const areAltered = attempts.recording.changed.every(
      ({ sql, mode }) => mode !== 'alter' || (tables.get(sql) ?? certain).areNamesComplete,
    );
    const areComplete = (part.sources ?? []).every(
      (name) => (components.get(name) ?? certain).areNamesComplete,
    );
    return {
      areNamesComplete: attempts.dependence.areNamesComplete && areListed && areComplete && areAltered,
      areTypesKnown:
        attempts.dependence.areTypesKnown && inputs(part).every(({ areTypesKnown }) => areTypesKnown),
    };
  }

  function readsAll(sql: string): boolean {
    return attempts.recording.columns.get(sql)?.has(ALL_COLUMNS) === true;
  }

  function columnsRead(sql: string): Pick<TableRead, 'columns' | 'readsAll'> {
    const columns = [...(attempts.recording.columns.get(sql) ?? [])].filter(
      (column) => column !== ALL_COLUMNS,
    );
    return { columns, readsAll: readsAll(sql) };
  }

  function note(part: Part): void {
    const { found, changed } = attempts.recording;
    const { place } = part;
    const component = part.component.name;
    const certainty = certaintyOf(part);
    components.set(component, certainty);
    noteLineage(part);
    const targets = new Set(changed.map(({ sql }) => sql));
    for (const { sql, isRead } of changed) if (isRead) targets.delete(sql);
    const searchedTables = attempts.searchedTables();
    for (const [sql, table] of found) {
      if (targets.has(sql)) continue;
      const named = searchedTables.get(sql)?.open;
      if (named !== undefined) {
        noteOpen(part, 'read', { table, named });
        continue;
      }
      reads.push({ table: plain(table), component, place, ...columnsRead(sql), isBound: true });
    }
    for (const pattern of attempts.recording.patterns)
      noteOpen(part, 'read', { table: pattern, named: variables.openName(pattern) ?? anyTable });
    const seen = new Set<string>();
    for (const { table, sql, mode, written } of changed) {
      const key = `${mode} ${sql}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (unknownVariable(table) !== undefined || !attempts.dependence.areTablesSame) {
        noteOpen(part, 'write', { table, named: variables.openName(table) ?? anyTable });
        continue;
      }
      const isDefined = mode === 'define' || mode === 'alter';
      if (isDefined) {
        tables.set(sql, certainty);
        created.delete(sql);
        warehouse.unreadable.delete(sql);
      }
      const stored = isDefined ? warehouse.catalog.find(table)?.columns : undefined;
      const columns = stored && { columns: stored, ...certainty };
      writes.push({ table: plain(table), component, place, mode, columns, written });
    }
    brokenViews.update(component, changed);
  }

  function noteLineage(part: Part): void {
    const before = (part.sources ?? []).flatMap((name) => [...(doubts.get(name) ?? [])]);
    const own = new Set([...before, ...(attempts.doubt === undefined ? [] : [attempts.doubt])]);
    doubts.set(part.component.name, own);
    lineage.push(...lineageOf(part, attempts.recording, { doubts: [...own], variableIn: unknownVariable }));
  }

  /** Notes the use of a table whose name depends on a variable. `named` is the name with `*` in place of the variable's value. */
  function noteOpen(
    part: Part,
    effect: OpenUse['effect'],
    { table, named }: { readonly table: TableName; readonly named: TableName },
  ): void {
    const { place } = part;
    const component = part.component.name;
    const name = unknownVariable(table) ?? variables.unknownReads()[0] ?? '';
    const reason = `the name of a table depends on the variable "${name}", whose value is only known when the pipeline runs`;
    unknown.push({
      component,
      place,
      part: place,
      reason,
      tables: [],
      variables: [name],
      isAfterOther: false,
      unnamed: name,
      others: 'none',
    });
    open.push({ table: named, component, place, effect });
  }

  const unknownVariable = ({ database, schema, table }: TableName) =>
    variables.unknownIn(`${database}.${schema}.${table}`);

  function noteUnbound(part: Part, reason: string, { at, isExisting = false }: Failure = {}): void {
    const { place } = part;
    const component = part.component.name;
    const isAfterOther = at === undefined;
    const { writes: defined, reads: named = [], others, text } = usesOf(part);
    const used = usedTables();
    const [unnamed] = [...defined.map(({ table }) => table), ...used].flatMap(
      (table) => unknownVariable(table) ?? [],
    );
    unknown.push({
      component,
      place: at ?? place,
      part: place,
      reason,
      tables: used,
      variables: variables.unknownReads(),
      isAfterOther,
      unnamed,
      others,
      text,
    });
    const [inherited] = (part.sources ?? []).flatMap((name) => causes.get(name) ?? []);
    const cause = isAfterOther ? (inherited ?? reason) : reason;
    causes.set(
      component,
      isAfterOther ? cause : `"${component}" in line ${place.line} could not be checked: ${reason}`,
    );
    const targets = new Set(onlyWritten(part));
    for (const { table, mode } of defined) {
      if (mode === 'alter' && isExisting) continue; // The column is there already.
      if (mode !== 'insert' && mode !== 'change')
        tables.set(physicalTable(table), { areNamesComplete: false, areTypesKnown: false });
      const openTarget = variables.openName(table);
      if (openTarget === undefined) writes.push({ table, component, place, mode });
      else open.push({ table: openTarget, component, place, effect: 'write' });
      const target = openTarget === undefined ? table : undefined;
      if (traces === true)
        lineage.push({ table: target, component, place, mode, ...noSources, unknown: [cause] });
    }
    for (const pattern of attempts.recording.patterns)
      open.push({ table: variables.openName(pattern) ?? anyTable, component, place, effect: 'read' });
    const searchedTables = attempts.searchedTables();
    for (const sql of otherTargets(part)) targets.add(sql);
    for (const [sql, { table, open: openSource }] of searchedTables) {
      if (targets.has(sql)) continue;
      if (openSource !== undefined) open.push({ table: openSource, component, place, effect: 'read' });
      else reads.push({ table: plain(table), component, place, ...columnsRead(sql), isBound: false });
    }
    for (const [sql, table] of new Map(named.map((each) => [physicalTable(each), each])))
      if (!searchedTables.has(sql) && variables.openName(table) === undefined)
        reads.push({ table, component, place, columns: [], readsAll: false, isBound: false });
  }

  /** The tables that the part writes with each of the values that replace unknown values. */
  function otherTargets(part: Part): readonly string[] {
    return standIns.flatMap((standIn) => {
      variables.begin(standIn);
      return onlyWritten(part);
    });
  }

  function usedTables(): readonly TableName[] {
    return [...attempts.recording.found.values(), ...attempts.recording.missed.values()].map(plain);
  }

  return {
    warehouse,
    variables,
    reader,
    reads,
    get writes() {
      return brokenViews.applyTo(writes);
    },
    problems,
    unknown,
    open,
    lineage,
    noteColumn(table, column) {
      const columns = attempts.recording.columns.get(table) ?? new Set();
      attempts.recording.columns.set(table, columns.add(column));
    },
    missingColumn: attempts.missingColumn,
    searchTables(pattern, matches) {
      if (unknownVariable(pattern) !== undefined) attempts.recording.patterns.push(plain(pattern));
      const all = tablesLike?.(pattern, matches) ?? [];
      // The attempt creates what is missing, and begins again.
      if (all.map((table) => warehouse.catalog.find(table)).includes(undefined))
        throw new SqlError('a table of the project does not exist yet', { code: 'missing-table' });
    },
    async bind(part, work) {
      const failed = await attempts.run(part, work);
      if (failed === undefined) {
        note(part);
        return true;
      }
      const { error, component } = blame(failed.error, part);
      const excuse = excuseOf(error, part, failed.failsAlways);
      const message = unplacedMessage(error);
      const place = placeOf(error) ?? part.place;
      if (excuse === undefined && (error instanceof SqlError || error instanceof ParameterError)) {
        const column = nameIn(error);
        problems.push({ component, place, message, code: codeOf(error), column, tables: usedTables() });
        const others = { part, work, attempts, variables, excuseOf, tables: usedTables() };
        problems.push(...(await otherProblems(error, others)));
      }
      const shown = excuse === undefined ? message : variables.shownText(message);
      const reason = [excuse, shown].filter((text) => text !== undefined && text !== '').join(': ');
      noteUnbound(part, reason, { at: place, isExisting: codeOf(error) === 'exists' });
      return false;
    },
    skip(part, reason) {
      attempts.begin();
      noteUnbound(part, reason);
    },
  };
}
