import { changeText } from '../../snapshot/difference/change-text.ts';
import type { SnapshotDifference, TableDifference } from '../../snapshot/difference/difference-of.ts';
import type { SharedCallDifference } from '../../snapshot/difference/shared-pipelines.ts';
import { shorten } from '../../../lib/core/text/shorten.ts';

/** The first of a list, and how long it is. */
export interface FirstOf<Item> {
  readonly count: number;
  readonly first: readonly Item[];
}

/** A column or a table that is not as it was. */
export interface ShortTable {
  /** `TABLE.COLUMN`, or the table. */
  readonly name: string;
  /** `renamed to LAND`. */
  readonly what: string;
  /** `file:line`. */
  readonly writers: FirstOf<string>;
  readonly readers: FirstOf<string>;
}

/** The difference of two versions, with the first of each list: small enough for a record of a promotion. Texts are for people. */
export interface ShortDifference {
  readonly changed: FirstOf<{ readonly pipeline: string; readonly line?: number; readonly what: string }>;
  readonly affected: FirstOf<{ readonly pipeline: string; readonly because: string }>;
  /** Changed and affected pipelines that no pipeline of the project calls. */
  readonly entryPoints: FirstOf<string>;
  readonly tables: FirstOf<ShortTable>;
  /** Tables whose definition changed, and whose columns are not all known. */
  readonly unknownColumns: FirstOf<string>;
  /** What no longer works: `file:line: why`. */
  readonly broken: FirstOf<string>;
  /** The connectors that changed and affected pipelines read. */
  readonly connectors: FirstOf<string>;
  /** Calls of shared pipelines: `prefix#id`, with the versions that are called. */
  readonly shared: FirstOf<string>;
  /** Shared pipelines that the project publishes, and that are not as they were. */
  readonly published: FirstOf<string>;
}

const maxItems = 20;
const maxTables = 30;
const maxPlaces = 3;
const maxText = 200;

/** What a plan shows of a difference, in its fixed order. */
export function shortDifference({
  pipelines,
  tables,
  connectors,
  shared,
  published,
}: SnapshotDifference): ShortDifference {
  return {
    changed: firstOf(pipelines.changed, maxItems, ({ pipeline, line, what }) => ({
      pipeline: short(pipeline),
      ...(line === undefined ? {} : { line }),
      what: short(what),
    })),
    affected: firstOf(pipelines.affected, maxItems, ({ pipeline, because }) => ({
      pipeline: short(pipeline),
      because: short(because.join('; ')),
    })),
    entryPoints: firstOf(pipelines.entryPoints, maxItems, short),
    tables: firstOf(tables.changes, maxTables, shortTable),
    unknownColumns: firstOf(tables.unknownColumns, maxItems, ({ table }) => short(table.table)),
    broken: firstOf(tables.broken, maxItems, (broken) => short(`${placeOf(broken)}: ${broken.message}`)),
    connectors: firstOf(connectors, maxItems, short),
    shared: firstOf(shared, maxItems, sharedText),
    published: firstOf(published, maxItems, ({ pipeline, change }) => short(`${pipeline} (${change})`)),
  };
}

function shortTable({ table, column, writers, readers, ...change }: TableDifference): ShortTable {
  return {
    name: short(column === undefined ? table.table : `${table.table}.${column}`),
    what: short(changeText(change)),
    writers: firstOf(writers, maxPlaces, placeOf),
    readers: firstOf(readers, maxPlaces, placeOf),
  };
}

function sharedText({ pipeline, before, after }: SharedCallDifference): string {
  const versions = (list: readonly string[]): string => list.join(', ') || 'not called';
  return short(`${pipeline}: ${versions(before)}, then ${versions(after)}`);
}

const placeOf = ({ file, line }: { readonly file: string; readonly line: number }): string =>
  `${short(file)}:${line}`;

const short = (text: string): string => shorten(text, maxText);

function firstOf<From, Item>(
  list: readonly From[],
  limit: number,
  shortened: (from: From) => Item,
): FirstOf<Item> {
  return { count: list.length, first: list.slice(0, limit).map(shortened) };
}
