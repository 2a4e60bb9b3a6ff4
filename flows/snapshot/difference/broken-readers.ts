import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { listText } from '../../../lib/core/text/list-text.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { SnapshotDefinition, SnapshotUnknown } from '../snapshot.ts';
import { byLine } from './edges.ts';
import type { ProjectFacts } from './project-facts.ts';

/** A reader that no longer works, although it did before the change. */
export interface BrokenReader {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

/** Finds what a change removes although it is read: columns, their types, and tables. In the order of the places. */
export function brokenReaders(now: ProjectFacts, before: ProjectFacts): readonly BrokenReader[] {
  const isSameBinding = now.snapshot.columns === before.snapshot.columns;
  return [...(isSameBinding ? brokenColumns(now, before) : []), ...lostTables(now, before)].toSorted(
    (a, b) => compareTexts(a.file, b.file) || a.line - b.line || compareTexts(a.message, b.message),
  );
}

/** A component that could be bound before, and cannot be bound now. */
interface LostReader extends SnapshotUnknown {
  readonly pipeline: string;
}

interface Change {
  readonly definition: SnapshotDefinition;
  readonly what: string;
  readonly isGone: boolean;
}

function brokenColumns(now: ProjectFacts, before: ProjectFacts): readonly BrokenReader[] {
  const changes = new Map<string, Change & { readonly readers: LostReader[] }>();
  for (const reader of lostReaders(now, before))
    for (const change of changesOf(reader, now, before)) {
      const { pipeline, component } = change.definition;
      const key = JSON.stringify([pipeline, component, change.what]);
      const known = changes.get(key) ?? { ...change, readers: [] };
      changes.set(key, known);
      known.readers.push(reader);
    }
  return Array.from(changes.values(), ({ definition, what, isGone, readers }) => {
    const { pipeline, file = pipeline, line } = definition;
    const names = readers.map(
      (reader) => `${withoutSuffix(reader.pipeline)} (${reader.file ?? reader.pipeline}:${reader.line})`,
    );
    const [read, these] = readers.length === 1 ? ['reads', 'this reader'] : ['read', 'these readers'];
    const message = isGone
      ? `${what}, which ${listText(names)} ${read}; write the column again, or change ${these} too`
      : `${what}, and ${listText(names)} cannot use it: ${readers[0]?.reason ?? ''}`;
    return { file, line, message };
  });
}

function lostReaders(now: ProjectFacts, before: ProjectFacts): readonly LostReader[] {
  return [...now.pipelines.values()].flatMap(({ path: pipeline, unknown }) => {
    const old = before.pipelines.get(pipeline);
    if (old === undefined) return [];
    const unbound = new Set(old.unknown.map(({ component, reason }) => JSON.stringify([component, reason])));
    return byLine(unknown)
      .filter(
        ({ component, reason, after }) => after !== true && !unbound.has(JSON.stringify([component, reason])),
      )
      .map((reader) => ({ ...reader, pipeline }));
  });
}

/** The components that took columns away that a lost reader needs, or changed their types. */
function changesOf(
  { pipeline, component, tables }: LostReader,
  now: ProjectFacts,
  before: ProjectFacts,
): readonly Change[] {
  const changes = tables.flatMap((key) => {
    const [types, old] = [now, before].map((side) => new Map(side.tables.get(key)?.columns)) as [
      Map<string, string>,
      Map<string, string>,
    ];
    const read = new Set(
      (before.pipelines.get(pipeline)?.reads ?? [])
        .filter((each) => each.component === component && each.table === key)
        .flatMap(({ columns, all }) => (all === true ? [...columns, ...old.keys()] : columns)),
    );
    const definitions = now.definitionsOf(key).filter((definition) => isChanged(key, definition, before));
    return [...old].flatMap(([name, type]) => {
      const other = types.get(name);
      if (!read.has(name) || other === type) return [];
      const text = `"${now.tables.get(key)?.name[2]}"`;
      const what =
        other === undefined
          ? `${text} no longer has the column "${name}"`
          : `the column "${name}" of ${text} is ${other} instead of ${type}`;
      return definitions.map((definition) => ({ definition, what, isGone: other === undefined }));
    });
  });
  // What is gone explains more than a type that has changed beside it.
  const gone = changes.filter(({ isGone }) => isGone);
  return gone.length > 0 ? gone : changes;
}

/** Whether a component defines other columns than before. */
function isChanged(
  table: string,
  { pipeline, component, digest }: SnapshotDefinition,
  before: ProjectFacts,
): boolean {
  const old = before
    .definitionsOf(table)
    .find((each) => each.pipeline === pipeline && each.component === component);
  return old?.digest !== digest;
}

/** Reads of tables that nothing creates any more. */
function lostTables(now: ProjectFacts, before: ProjectFacts): readonly BrokenReader[] {
  return [...now.pipelines.values()].flatMap(({ path, reads }) =>
    reads.flatMap(({ table, file = path, line }): readonly BrokenReader[] => {
      const creators = before.definitionsOf(table).filter(({ mode }) => mode === 'define');
      if (creators.length === 0 || now.definitionsOf(table).some(({ mode }) => mode === 'define')) return [];
      if (now.isMentioned(table) || creators.some((creator) => isUnknown(creator, now))) return [];
      const names = [...new Set(creators.map(({ pipeline }) => withoutSuffix(pipeline)))].toSorted(
        compareTexts,
      );
      const name = before.tables.get(table)?.name[2];
      const message = `no pipeline creates the table "${name}" any more; ${listText(names)} did: create it again, or remove this reader`;
      return [{ file, line, message }];
    }),
  );
}

/** Whether the component that created a table still exists, and may create one whose name is not known. */
function isUnknown({ pipeline, component }: SnapshotDefinition, now: ProjectFacts): boolean {
  const found = now.pipelines.get(pipeline);
  if (found === undefined) return false;
  return found.unreadable !== undefined || found.unknown.some((each) => each.component === component);
}
