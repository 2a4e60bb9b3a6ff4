import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { SnapshotDefinition, SnapshotPipeline, SnapshotRead, SnapshotUnknown } from '../snapshot.ts';
import { byLine } from './edges.ts';
import {
  type BoundSide,
  type ComponentRead,
  listedOnce,
  lostColumnMessage,
  lostColumns,
  lostTables,
  type TableMaker,
  type UnboundComponent,
} from './lost-readers.ts';
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
  const sides = [boundSide(now), boundSide(before)] as const;
  const columns = isSameBinding ? lostColumns(...sides) : [];
  return [
    ...columns.map(({ maker, readers, ...change }): BrokenReader => {
      const names = readers.map(
        ({ pipeline, file = pipeline, line }) => `${withoutSuffix(pipeline)} (${file}:${line})`,
      );
      const message = lostColumnMessage(change, names, readers[0]?.reason ?? '');
      return { file: maker.file ?? maker.pipeline, line: maker.line, message };
    }),
    ...lostTables(...sides).map(({ pipeline, read: { file = pipeline, line }, message }) => ({
      file,
      line,
      message,
    })),
  ].toSorted((a, b) => compareTexts(a.file, b.file) || a.line - b.line || compareTexts(a.message, b.message));
}

type Maker = TableMaker & SnapshotDefinition;
type Unbound = UnboundComponent & SnapshotUnknown;
type Read = ComponentRead & SnapshotRead;

function boundSide({
  pipelines,
  tables,
  definitionsOf,
  isMentioned,
}: ProjectFacts): BoundSide<Maker, Unbound, Read> {
  return {
    pipelines: new Map([...pipelines].map(([path, pipeline]) => [path, boundPipeline(pipeline)])),
    makersOf: listedOnce((table) =>
      definitionsOf(table).map((definition) => ({
        ...definition,
        isCreator: definition.mode === 'define',
        content: definition.digest ?? '',
      })),
    ),
    columnsOf: (table) => new Map(tables.get(table)?.columns),
    nameOf: (table) => tables.get(table)?.name[2] ?? table,
    isMentioned,
  };
}

function boundPipeline({ unknown, reads, unreadable }: SnapshotPipeline) {
  return {
    unknown: byLine(unknown).map((each) => ({ ...each, isAfterOther: each.after === true })),
    reads: reads.map((read) => ({ ...read, readsAll: read.all === true })),
    isUnreadable: unreadable !== undefined,
  };
}
