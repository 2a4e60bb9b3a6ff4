import {
  type BindingProblem,
  type Column,
  describeType,
  type Place,
  type TableName,
} from '../../../engine/index.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import type { CompileFinding } from './compile-report.ts';
import { tableKey } from '../bind/project-tables.ts';
import { type Definition } from '../bind/table-definitions.ts';

/** A component that could be bound at the base, and cannot be bound now. */
interface LostReader {
  readonly pipeline: string;
  readonly component: string;
  readonly place: Place;
  readonly message: string;
  readonly tables: readonly TableName[];
  /** The problem, if it certainly fails. */
  readonly problem: BindingProblem | undefined;
}

interface Change {
  readonly definition: Definition;
  readonly column: string;
  readonly what: string;
  readonly isGone: boolean;
  readonly readers: LostReader[];
}

/**
 * The findings about what a change removes or alters, and what readers therefore cannot use. `covered`: the
 * problems of readers that these findings already name.
 */
export function breakingChanges(
  graph: DataGraph,
  base: DataGraph,
): { readonly findings: readonly CompileFinding[]; readonly covered: ReadonlySet<BindingProblem> } {
  const covered = new Set<BindingProblem>();
  const changes = new Map<string, Change>();
  for (const reader of lostReaders(graph, base)) {
    for (const { definition, column, what, isGone } of changesOf(reader, graph, base)) {
      if (reader.problem !== undefined) covered.add(reader.problem);
      const key = JSON.stringify([definition.pipeline, definition.component, what]);
      const change = changes.get(key) ?? { definition, column, what, isGone, readers: [] };
      changes.set(key, change);
      change.readers.push(reader);
    }
  }
  return {
    findings: [...Array.from(changes.values(), breakingFinding), ...lostTables(graph, base)],
    covered,
  };
}

function breakingFinding({ definition, column, what, isGone, readers }: Change): CompileFinding {
  const { pipeline, component, place } = definition;
  const names = readers.map(
    ({ pipeline: reader, place: { file, line } }) => `${withoutSuffix(reader)} (${file}:${line})`,
  );
  const [first] = readers;
  const cannot = `${listText(names)} cannot use it: ${first?.message ?? ''}`;
  const isSure = readers.some(({ problem }) => problem !== undefined);
  return {
    ...place,
    rule: 'breaking-change',
    severity: isSure ? 'error' : 'warning',
    pipeline,
    component,
    tables: [definition.table],
    columnName: column,
    subject: what,
    message: isGone
      ? `${what}, which ${listText(names)} ${names.length === 1 ? 'reads' : 'read'}; write the column again, or change ${names.length === 1 ? 'this reader' : 'these readers'} too`
      : `${what}, and ${cannot}`,
    related: readers.map((reader) => ({
      ...reader.place,
      pipeline: reader.pipeline,
      component: reader.component,
    })),
  };
}

function lostReaders(graph: DataGraph, base: DataGraph): readonly LostReader[] {
  return [...graph.pipelines].flatMap(([pipeline, { unknown, problems }]) => {
    const before = base.pipelines.get(pipeline);
    if (before === undefined) return [];
    const unbound = new Set(
      before.unknown.map(({ component, reason }) => JSON.stringify([component, reason])),
    );
    return unknown
      .filter(
        ({ component, reason, isAfterOther }) =>
          !isAfterOther && !unbound.has(JSON.stringify([component, reason])),
      )
      .map(({ component, place, reason, tables }) => {
        const problem = problems.find((each) => each.component === component && each.message === reason);
        return { pipeline, component, place, message: reason, tables, problem };
      });
  });
}

/** The components that took columns away that a lost reader needs, or changed their types. */
function changesOf(
  { pipeline, component, tables }: LostReader,
  graph: DataGraph,
  base: DataGraph,
): readonly Omit<Change, 'readers'>[] {
  const changes = tables.flatMap((table) => {
    const now = typesOf(graph.tables.find(table)?.columns);
    const old = typesOf(base.tables.find(table)?.columns);
    const read = new Set(
      (base.pipelines.get(pipeline)?.reads ?? [])
        .filter((each) => each.component === component && tableKey(each.table) === tableKey(table))
        .flatMap(({ columns, readsAll }) => (readsAll ? [...columns, ...old.keys()] : columns)),
    );
    const definitions = graph.tables.definitionsOf(table).filter((definition) => isChanged(definition, base));
    return [...old].flatMap(([name, type]) => {
      const other = now.get(name);
      if (!read.has(name) || other === type) return [];
      const text = `"${table.table}"`;
      const what =
        other === undefined
          ? `${text} no longer has the column "${name}"`
          : `the column "${name}" of ${text} is ${other} instead of ${type}`;
      return definitions.map((definition) => ({
        definition,
        column: name,
        what,
        isGone: other === undefined,
      }));
    });
  });
  // What is gone explains more than a type that has changed beside it.
  const gone = changes.filter(({ isGone }) => isGone);
  return gone.length > 0 ? gone : changes;
}

function typesOf(columns: readonly Column[] = []): ReadonlyMap<string, string> {
  return new Map(columns.map(({ name, type }) => [name, describeType(type)]));
}

/** Whether a component defines other columns than it does at the base. */
export function isChanged({ pipeline, component, table, columns }: Definition, base: DataGraph): boolean {
  const old = base.tables.definitionsIn(pipeline, table).find((each) => each.component === component);
  return JSON.stringify(old?.columns?.columns) !== JSON.stringify(columns?.columns);
}

/** Reads of tables that nothing creates any more. */
function lostTables(graph: DataGraph, base: DataGraph): readonly CompileFinding[] {
  return [...graph.pipelines].flatMap(([pipeline, { reads }]) =>
    reads.flatMap(({ table, component, place }): CompileFinding[] => {
      const creators = base.tables.definitionsOf(table).filter(({ mode }) => mode === 'define');
      if (creators.length === 0 || graph.tables.definitionsOf(table).some(({ mode }) => mode === 'define'))
        return [];
      if (graph.tables.isMentioned(table) || creators.some((creator) => isUnknown(creator, graph))) return [];
      const names = [...new Set(creators.map((creator) => withoutSuffix(creator.pipeline)))];
      const message = `no pipeline creates the table "${table.table}" any more; ${listText(names)} did: create it again, or remove this reader`;
      return [
        {
          ...place,
          rule: 'missing-table',
          severity: 'error',
          pipeline,
          component,
          tables: [table],
          subject: table.table,
          message,
          related: [],
        },
      ];
    }),
  );
}

/** Whether the component that created a table still exists, and may create one whose name is not known. */
function isUnknown({ pipeline, component }: Definition, graph: DataGraph): boolean {
  const document = graph.project.pipeline(pipeline);
  if (document === undefined) return false;
  const unknown = graph.pipelines.get(pipeline)?.unknown ?? [];
  return document.problems.length > 0 || unknown.some((each) => each.component === component);
}
