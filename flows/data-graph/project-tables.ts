import {
  type BoundPipeline,
  type Column,
  describeType,
  type KnownTable,
  type TableName,
  type TableWrite,
} from '../../engine/index.ts';

/** A component that defines a table, with the pipeline that it is in. */
export interface Definition extends TableWrite {
  readonly pipeline: string;
}

/** Columns that something else than a pipeline names. */
export interface NamedTable {
  readonly table: TableName;
  readonly columns: readonly Column[];
  /** Whether no type is a guess; default: yes. */
  readonly areTypesKnown?: boolean;
}

/** A table's name as a key. */
export function tableKey({ database, schema, table }: TableName): string {
  return JSON.stringify([database, schema, table]);
}

/** What is known about tables besides what pipelines do. */
export interface Outside {
  /** The tables of `schemas` in millrace.yaml. */
  readonly declared: (table: TableName) => KnownTable | undefined;
  /** Tables of the files of schemas that tests name. */
  readonly testDeclared: readonly NamedTable[];
  /** Tables of tests, which have the columns that the tests need. */
  readonly guessed: readonly NamedTable[];
  /** Words of code that cannot be bound: it may change the columns of tables that it names. */
  readonly words: ReadonlySet<string>;
}

/** What is known about the tables of a project. */
export class ProjectTables {
  /** By table, then by pipeline. */
  readonly #definitions = new Map<string, Map<string, readonly Definition[]>>();
  #declared: Outside['declared'] = () => undefined;
  #testDeclared: ReadonlyMap<string, KnownTable> = new Map();
  #guessed: ReadonlyMap<string, KnownTable> = new Map();
  #words: ReadonlySet<string> = new Set();

  /**
   * Notes what is known besides pipelines, instead of what was known before. Returns the keys of the tables that are not as before,
   * without the declared ones.
   */
  setOutside({ declared, testDeclared, guessed, words }: Outside): ReadonlySet<string> {
    const [oldDeclared, oldGuessed, oldWords] = [this.#testDeclared, this.#guessed, this.#words];
    this.#declared = declared;
    this.#testDeclared = unions(testDeclared);
    this.#guessed = unions(guessed);
    this.#words = words;
    const isSame = (key: string) =>
      JSON.stringify(oldDeclared.get(key)) === JSON.stringify(this.#testDeclared.get(key)) &&
      JSON.stringify(oldGuessed.get(key)) === JSON.stringify(this.#guessed.get(key)) &&
      oldWords.has(wordOf(key)) === words.has(wordOf(key));
    const keys = [oldDeclared, this.#testDeclared, oldGuessed, this.#guessed, this.#definitions].flatMap(
      (map) => [...map.keys()],
    );
    return new Set(keys.filter((key) => !isSame(key)));
  }

  /** Notes what a pipeline defines, instead of what it defined before. Returns the keys of the tables that are not as before. */
  update(pipeline: string, { writes }: BoundPipeline): ReadonlySet<string> {
    const defined = Map.groupBy(
      writes.filter(({ mode }) => mode === 'define' || mode === 'alter'),
      ({ table }) => tableKey(table),
    );
    const changed = new Set<string>();
    for (const [key, pipelines] of this.#definitions)
      if (!defined.has(key) && pipelines.delete(pipeline)) changed.add(key);
    for (const [key, list] of defined) {
      const pipelines = this.#definitions.get(key) ?? new Map<string, readonly Definition[]>();
      this.#definitions.set(key, pipelines);
      const definitions = list.map((write) => ({ ...write, pipeline }));
      if (contentOf(pipelines.get(pipeline)) !== contentOf(definitions)) changed.add(key);
      pipelines.set(pipeline, definitions);
    }
    return changed;
  }

  /** The components of the project that define a table, in the order of the pipelines. */
  definitionsOf(table: TableName): readonly Definition[] {
    return [
      ...(this.#definitions.get(tableKey(table)) ?? new Map<string, readonly Definition[]>()).values(),
    ].flat();
  }

  /** The columns that `schemas` in millrace.yaml declares. */
  declared(table: TableName): KnownTable | undefined {
    return this.#declared(table);
  }

  /** Whether code that cannot be bound names the table. */
  isMentioned(table: TableName): boolean {
    return this.#words.has(table.table.toLowerCase());
  }

  /** Whether nothing in the project creates the table; it may alter it. */
  isOutside(table: TableName): boolean {
    return this.definitionsOf(table).every(({ mode }) => mode === 'alter');
  }

  /**
   * The columns of a table. Several definitions are alternatives: a column of one of them may be there.
   * @param pipeline a pipeline that sees the table as it is before the pipeline itself alters it
   */
  find(table: TableName, pipeline?: string): KnownTable | undefined {
    const key = tableKey(table);
    const definitions = this.definitionsOf(table).filter(
      (definition) => definition.mode !== 'alter' || definition.pipeline !== pipeline,
    );
    const known = definitions.flatMap(({ columns }) => columns ?? []);
    const declared = this.#declared(table) ?? this.#testDeclared.get(key);
    // What alters a table that nothing creates knows the columns of a test at most.
    const isOutside = definitions.every(({ mode }) => mode === 'alter');
    // A declaration says what a component writes whose columns are not known.
    const isDeclared = declared !== undefined && (isOutside || known.length === 0);
    const isKnown =
      (isDeclared || (known.length === definitions.length && !isOutside)) && !this.isMentioned(table);
    const other = isKnown && !isDeclared ? undefined : (declared ?? this.#guessed.get(key));
    const all = [...known, ...(other === undefined ? [] : [other])];
    const columns = firstOfEachName(all.flatMap((each) => each.columns));
    if (columns.length === 0) return undefined;
    return {
      columns,
      areNamesComplete: isKnown && all.every(({ areNamesComplete }) => areNamesComplete),
      areTypesKnown: isKnown && all.every(({ areTypesKnown }) => areTypesKnown) && areAlike(known),
    };
  }
}

/** The table's name in a key, in lower case. */
function wordOf(key: string): string {
  const [, , table = ''] = JSON.parse(key) as readonly string[];
  return table.toLowerCase();
}

function contentOf(definitions: readonly Definition[] | undefined): string {
  return JSON.stringify(
    definitions?.map(({ columns, component, place }) => [columns, component, place.line]),
  );
}

function unions(tables: readonly NamedTable[]): ReadonlyMap<string, KnownTable> {
  const groups = Map.groupBy(tables, ({ table }) => tableKey(table));
  return new Map(
    [...groups].map(([key, list]) => [
      key,
      {
        columns: firstOfEachName(list.flatMap(({ columns }) => columns)),
        areNamesComplete: true,
        areTypesKnown: list.every(({ areTypesKnown = true }) => areTypesKnown),
      },
    ]),
  );
}

/** The first column of each name. DuckDB does not tell names apart that differ in case only. */
export function firstOfEachName(columns: readonly Column[]): readonly Column[] {
  const byName = new Map<string, Column>();
  for (const column of columns) {
    const key = column.name.toLowerCase();
    if (!byName.has(key)) byName.set(key, column);
  }
  return [...byName.values()];
}

/** Whether all have the same columns, in the same order. */
function areAlike([first, ...others]: readonly KnownTable[]): boolean {
  const text = (table: KnownTable | undefined) =>
    JSON.stringify(table?.columns.map(({ name, type }) => [name, describeType(type)]));
  return others.every((other) => text(other) === text(first));
}
