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
}

/** A table's name as a key. */
export function tableKey({ database, schema, table }: TableName): string {
  return JSON.stringify([database, schema, table]);
}

/** What is known about tables besides what pipelines do. */
export interface Outside {
  /** Tables of files of schemas. */
  readonly declared: readonly NamedTable[];
  /** Tables of tests, which have the columns that the tests need. */
  readonly guessed: readonly NamedTable[];
  /** Words of code that cannot be bound: it may change the columns of tables that it names. */
  readonly words: ReadonlySet<string>;
}

/** What is known about the tables of a project. */
export class ProjectTables {
  /** By table, then by pipeline. */
  readonly #definitions = new Map<string, Map<string, readonly Definition[]>>();
  #declared: ReadonlyMap<string, readonly Column[]> = new Map();
  #guessed: ReadonlyMap<string, readonly Column[]> = new Map();
  #words: ReadonlySet<string> = new Set();

  /** Notes what is known besides pipelines, instead of what was known before. Returns the keys of the tables that are not as before. */
  setOutside({ declared, guessed, words }: Outside): ReadonlySet<string> {
    const [oldDeclared, oldGuessed, oldWords] = [this.#declared, this.#guessed, this.#words];
    this.#declared = unions(declared);
    this.#guessed = unions(guessed);
    this.#words = words;
    const isSame = (key: string) =>
      JSON.stringify(oldDeclared.get(key)) === JSON.stringify(this.#declared.get(key)) &&
      JSON.stringify(oldGuessed.get(key)) === JSON.stringify(this.#guessed.get(key)) &&
      oldWords.has(wordOf(key)) === words.has(wordOf(key));
    const keys = [oldDeclared, this.#declared, oldGuessed, this.#guessed, this.#definitions].flatMap(
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
    const declared = this.#declared.get(key);
    const guessed = this.#guessed.get(key) ?? [];
    const isAltered = known.length === definitions.length && !this.isMentioned(table);
    // What alters a table that nothing creates knows the columns of a test at most.
    const isOutside = definitions.every(({ mode }) => mode === 'alter');
    const isKnown = isAltered && (!isOutside || declared !== undefined);
    const others = isKnown && !isOutside ? [] : (declared ?? guessed);
    const columns = union([...known.flatMap((each) => each.columns), ...others]);
    if (columns.length === 0) return undefined;
    return {
      columns,
      areNamesComplete: isKnown && known.every(({ areNamesComplete }) => areNamesComplete),
      areTypesKnown: isKnown && known.every(({ areTypesKnown }) => areTypesKnown) && areAlike(known),
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

function unions(tables: readonly NamedTable[]): ReadonlyMap<string, readonly Column[]> {
  const groups = Map.groupBy(tables, ({ table }) => tableKey(table));
  return new Map([...groups].map(([key, list]) => [key, union(list.flatMap(({ columns }) => columns))]));
}

/** The first column of each name. DuckDB does not tell names apart that differ in case only. */
function union(columns: readonly Column[]): readonly Column[] {
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
