import type { BoundPipeline, KnownTable, TableName } from '../../../engine/index.ts';
import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { type NamedTable, type Outside, TablesOutside } from './tables-outside.ts';
import {
  addTo,
  afterComponents,
  areAlike,
  contentOf,
  type Definition,
  firstOfEachName,
  isCreatedNowhere,
  type Knowledge,
  knowledgeOf,
  tableKey,
  wayOf,
} from './table-definitions.ts';

/** What pipelines define of one table. */
interface Defined {
  readonly byPipeline: Map<string, readonly Definition[]>;
  /** How many pipelines define it in each way. */
  readonly ways: Map<string, number>;
  /** All definitions in the order of the pipelines; undefined after a change. */
  list: readonly Definition[] | undefined;
  /** What the definitions of all pipelines together say; undefined after a change of it. */
  knowledge: Knowledge | undefined;
}

/** What is known about the tables of a project, from pipelines and from elsewhere. */
export class ProjectTables {
  readonly #defined = new Map<string, Defined>();
  /** By pipeline: the keys of the tables that it defines. */
  readonly #keys = new Map<string, ReadonlySet<string>>();
  readonly #outside = new TablesOutside();
  /** What is known of tables that no pipeline defines; empty after a change. */
  readonly #others = new Map<string, Knowledge>();

  /**
   * Notes what is known besides pipelines, instead of what was known before. Returns the keys of the tables that are not as before,
   * without the declared ones.
   */
  setOutside(outside: Outside): ReadonlySet<string> {
    const { keys, isAll, isSame } = this.#outside.note(outside);
    const concerned = isAll ? keys.union(this.#defined) : keys;
    this.#forget(concerned);
    if (isAll) this.#others.clear();
    return new Set([...concerned].filter((key) => !isSame(key)));
  }

  #forget(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#others.delete(key);
      const defined = this.#defined.get(key);
      if (defined !== undefined) defined.knowledge = undefined;
    }
  }

  /** Notes what a pipeline defines, instead of what it defined before. Returns the keys of the tables of which it defines something else. */
  update(pipeline: string, { writes }: BoundPipeline): ReadonlySet<string> {
    const byTable = Map.groupBy(
      writes.filter(({ mode }) => mode === 'define' || mode === 'alter'),
      ({ table }) => tableKey(table),
    );
    const keys = new Set(byTable.keys());
    const changed = new Set<string>();
    for (const key of keys.union(this.#keys.get(pipeline) ?? new Set<string>())) {
      const definitions = (byTable.get(key) ?? []).map((write) => ({ ...write, pipeline }));
      if (this.#set(key, pipeline, definitions)) changed.add(key);
    }
    this.#keys.set(pipeline, keys);
    return changed;
  }

  /** Adds columns of tables of which nothing else is known. Returns the keys of the tables. */
  guess(named: readonly NamedTable[]): ReadonlySet<string> {
    const guessed = this.#outside.guess(named.filter(({ table }) => this.find(table) === undefined));
    this.#forget(guessed);
    return guessed;
  }

  /** Whether anything is different than before. */
  #set(key: string, pipeline: string, definitions: readonly Definition[]): boolean {
    const defined = this.#defined.get(key) ?? {
      byPipeline: new Map(),
      ways: new Map(),
      list: undefined,
      knowledge: undefined,
    };
    this.#defined.set(key, defined);
    const { byPipeline, ways } = defined;
    const before = byPipeline.get(pipeline);
    if (contentOf(before) === contentOf(definitions)) return false;
    const count = ways.size;
    if (before !== undefined) addTo(ways, wayOf(before), -1);
    if (definitions.length > 0) addTo(ways, wayOf(definitions), 1);
    if (definitions.length > 0) byPipeline.set(pipeline, definitions);
    else byPipeline.delete(pipeline);
    defined.list = undefined;
    // One more pipeline that defines the table as all others do adds nothing.
    const isSame = count === 1 && ways.size === 1 && [...ways.values()][0] !== 1;
    if (!isSame) defined.knowledge = undefined;
    return true;
  }

  /** What defines a table: components, in the order of the pipelines, then streaming pipelines. */
  definitionsOf(table: TableName): readonly Definition[] {
    return [...this.#componentsOf(table), ...this.#outside.streamed(table)];
  }

  #componentsOf(table: TableName): readonly Definition[] {
    const defined = this.#defined.get(tableKey(table));
    if (defined === undefined) return [];
    return (defined.list ??= [...defined.byPipeline]
      .toSorted(([a], [b]) => compareTexts(a, b))
      .flatMap(([, definitions]) => afterComponents(definitions)));
  }

  /** The components of one pipeline that define a table. */
  definitionsIn(pipeline: string, table: TableName): readonly Definition[] {
    return this.#defined.get(tableKey(table))?.byPipeline.get(pipeline) ?? [];
  }

  /** The columns that `schemas` in millrace.yaml declares. */
  declared(table: TableName): KnownTable | undefined {
    return this.#outside.declared(table);
  }

  /** Whether code that cannot be bound names the table. */
  isMentioned(table: TableName): boolean {
    return this.#outside.isMentioned(table);
  }

  /** Whether no component of the project creates the table; it may alter the table. */
  isOutside(table: TableName): boolean {
    return isCreatedNowhere(this.#componentsOf(table));
  }

  /**
   * The columns of a table. Several definitions are alternatives: a column of one of them may be there.
   */
  find(table: TableName): KnownTable | undefined {
    return this.knowledge(table).table;
  }

  /**
   * What is known about a table, with a text that tells whether it is still the same.
   * @param pipeline a pipeline that sees the table as it is before the pipeline itself alters it
   */
  knowledge(table: TableName, pipeline?: string): Knowledge {
    const key = tableKey(table);
    const defined = this.#defined.get(key);
    const own = pipeline === undefined ? undefined : defined?.byPipeline.get(pipeline);
    if (own?.some(({ mode }) => mode === 'alter') === true)
      return this.#combine(
        table,
        [...(defined?.byPipeline ?? [])]
          .toSorted(([a], [b]) => compareTexts(a, b))
          .flatMap(([path, list]) =>
            path === pipeline ? list.filter(({ mode }) => mode !== 'alter') : afterComponents(list),
          ),
      );
    if (defined === undefined) {
      const knowledge = this.#others.get(key) ?? this.#combine(table, []);
      this.#others.set(key, knowledge);
      return knowledge;
    }
    if (defined.knowledge !== undefined) return defined.knowledge;
    const knowledge = this.#combine(table, this.#componentsOf(table));
    // What is known about a broken view depends on what others do with the table below it.
    if (knowledge.below === undefined) defined.knowledge = knowledge;
    return knowledge;
  }

  /** The tables of a schema of which a column is known and whose names match. */
  like(
    { database, schema }: Pick<TableName, 'database' | 'schema'>,
    matches: (table: string) => boolean,
  ): readonly TableName[] {
    const keys = new Set([...this.#defined.keys(), ...this.#outside.keys]);
    const names = Array.from(keys, (key): TableName => {
      const [databaseName = '', schemaName = '', table = ''] = JSON.parse(key) as string[];
      return { database: databaseName, schema: schemaName, table };
    });
    return names.filter(
      (name) =>
        name.database === database &&
        name.schema === schema &&
        matches(name.table) &&
        (this.find(name)?.columns.length ?? 0) > 0,
    );
  }

  /** Whether a pipeline alone defines a table, once, so that its definition says all that is known. */
  isDefinedBy(table: TableName, pipeline: string): boolean {
    const definitions = this.definitionsOf(table);
    const [only, ...others] = definitions;
    if (only?.pipeline !== pipeline || others.length > 0 || only.mode !== 'define') return false;
    return knowledgeOf(only.columns).text === this.knowledge(table).text;
  }

  #combine(table: TableName, written: readonly Definition[]): Knowledge {
    const below = written.flatMap(({ columns }) => columns?.unreadable ?? [])[0];
    if (below === undefined) return this.#combineReadable(table, written);
    const isBroken = written.every(({ columns }) => columns?.unreadable !== undefined);
    if (isBroken && !this.isMentioned(table) && this.#isOnlyOf(below.table, written))
      return {
        ...knowledgeOf({ columns: [], areNamesComplete: true, areTypesKnown: true, unreadable: below }),
        below: below.table,
      };
    const definitions = written.map((each) =>
      each.columns?.unreadable === undefined ? each : { ...each, columns: undefined },
    );
    return { ...this.#combineReadable(table, definitions), below: below.table };
  }

  /** Whether nothing but the pipelines of these definitions makes or changes the table, as far as the project says. */
  #isOnlyOf(table: TableName, definitions: readonly Definition[]): boolean {
    const pipelines = new Set(definitions.map(({ pipeline }) => pipeline));
    return (
      this.definitionsOf(table).every(({ pipeline }) => pipelines.has(pipeline)) && !this.isMentioned(table)
    );
  }

  #combineReadable(table: TableName, definitions: readonly Definition[]): Knowledge {
    const known = definitions.flatMap(({ columns }) => columns ?? []);
    const declared = this.#outside.declared(table) ?? this.#outside.testDeclared(table);
    // What alters a table that nothing creates knows the columns of a test at most.
    const isOutside = isCreatedNowhere(definitions);
    // A declaration says what a component writes whose columns are not known.
    const isDeclared = declared !== undefined && (isOutside || known.length === 0);
    const isClear = isDeclared
      ? definitions.every(({ mode, columns: own }) => mode !== 'alter' || own !== undefined)
      : known.length === definitions.length && !isOutside;
    const isKnown = isClear && !this.isMentioned(table);
    const other = isKnown && !isDeclared ? undefined : (declared ?? this.#outside.guessed(table));
    // What a streaming pipeline adds to the columns of its source.
    const streamed = isKnown ? [] : this.#outside.streamed(table).flatMap((each) => each.columns ?? []);
    const all = [...known, ...streamed, ...(other === undefined ? [] : [other])];
    const columns = firstOfEachName(all.flatMap((each) => each.columns));
    if (columns.length === 0) return knowledgeOf(undefined);
    return knowledgeOf({
      columns,
      areNamesComplete: isKnown && all.every(({ areNamesComplete }) => areNamesComplete),
      areTypesKnown: isKnown && all.every(({ areTypesKnown }) => areTypesKnown) && areAlike(known),
    });
  }
}
