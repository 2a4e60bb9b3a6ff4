import type { Column, KnownTable, TableName } from '../../../engine/index.ts';
import { contentOf, type Definition, firstOfEachName, tableKey } from './table-definitions.ts';

/** Columns of a table that something other than a pipeline names, such as a test. */
export interface NamedTable {
  readonly table: TableName;
  readonly columns: readonly Column[];
  /** Whether no type is a guess; default: yes. */
  readonly areTypesKnown?: boolean;
}

/** What is known about tables from sources other than pipelines. */
export interface Outside {
  /** The tables of `schemas` in millrace.yaml. */
  readonly declared: (table: TableName) => KnownTable | undefined;
  /** Tables of the files of schemas that tests name. */
  readonly testDeclared: readonly NamedTable[];
  /** Tables of tests, which have the columns that the tests need. */
  readonly guessed: readonly NamedTable[];
  /** What streaming pipelines write. */
  readonly streamed: readonly Definition[];
  /** Words of code that cannot be bound: it may change the columns of tables that it names. */
  readonly words: ReadonlySet<string>;
}

const nothing: Outside = {
  declared: () => undefined,
  testDeclared: [],
  guessed: [],
  streamed: [],
  words: new Set(),
};

/** `Outside` by table. */
export class TablesOutside {
  #outside = nothing;
  #testDeclared: ReadonlyMap<string, KnownTable> = new Map();
  #guessed: ReadonlyMap<string, KnownTable> = new Map();
  #streamed: ReadonlyMap<string, readonly Definition[]> = new Map();
  /** Whether `guess` has added columns since the last note. */
  #hasGuesses = false;

  /** The columns that `schemas` in millrace.yaml declares. */
  declared(table: TableName): KnownTable | undefined {
    return this.#outside.declared(table);
  }

  /** The columns in the files of schemas that tests name. */
  testDeclared(table: TableName): KnownTable | undefined {
    return this.#testDeclared.get(tableKey(table));
  }

  guessed(table: TableName): KnownTable | undefined {
    return this.#guessed.get(tableKey(table));
  }

  streamed(table: TableName): readonly Definition[] {
    return this.#streamed.get(tableKey(table)) ?? [];
  }

  /** Whether code that cannot be bound names the table. */
  isMentioned(table: TableName): boolean {
    return this.#outside.words.has(table.table.toLowerCase());
  }

  /** The keys of the tables that tests declare or give. */
  get keys(): readonly string[] {
    return [...this.#testDeclared.keys(), ...this.#guessed.keys()];
  }

  /**
   * Notes what is known now, instead of what was known before. Returns the tables that may be different, and a function that compares
   * one of them.
   */
  note(now: Outside): Noted {
    const before = this.#outside;
    const hasGuesses = this.#hasGuesses;
    const old = { testDeclared: this.#testDeclared, guessed: this.#guessed, streamed: this.#streamed };
    const hasSameWords = before.words.size === now.words.size && before.words.isSubsetOf(now.words);
    const isLimited = before.declared === now.declared && hasSameWords && !hasGuesses;
    // Tests that are not read again give the same objects, so in an editor few tables are concerned.
    const concerned = [
      ...differing(before.testDeclared, now.testDeclared),
      ...differing(before.guessed, now.guessed),
      ...differing(before.streamed, now.streamed),
    ];
    this.#outside = now;
    this.#hasGuesses = false;
    if (concerned.length > 0 || hasGuesses) {
      this.#testDeclared = unions(now.testDeclared);
      this.#guessed = unions(now.guessed);
      this.#streamed = Map.groupBy(now.streamed, ({ table }) => tableKey(table));
    }
    const isSame = (key: string) =>
      JSON.stringify(old.testDeclared.get(key)) === JSON.stringify(this.#testDeclared.get(key)) &&
      JSON.stringify(old.guessed.get(key)) === JSON.stringify(this.#guessed.get(key)) &&
      contentOf(old.streamed.get(key)) === contentOf(this.#streamed.get(key)) &&
      (hasSameWords || before.words.has(wordOf(key)) === now.words.has(wordOf(key)));
    if (isLimited)
      return { keys: new Set(concerned.map(({ table }) => tableKey(table))), isAll: false, isSame };
    const maps = [
      old.testDeclared,
      this.#testDeclared,
      old.guessed,
      this.#guessed,
      old.streamed,
      this.#streamed,
    ];
    return { keys: new Set(maps.flatMap((map) => [...map.keys()])), isAll: true, isSame };
  }

  /** Adds columns of tables of which nothing else is known. Returns the keys of the tables. */
  guess(named: readonly NamedTable[]): ReadonlySet<string> {
    const guessed = unions(named);
    this.#guessed = new Map([...this.#guessed, ...guessed]);
    this.#hasGuesses = true;
    return new Set(guessed.keys());
  }
}

export interface Noted {
  /** The keys of tables that may be different. */
  readonly keys: ReadonlySet<string>;
  /** Whether any other table may be different too. */
  readonly isAll: boolean;
  /** Whether a table is as before, apart from what `schemas` in millrace.yaml declares. */
  readonly isSame: (key: string) => boolean;
}

/** The items that are in one of two lists only. */
function differing<Item>(before: readonly Item[], now: readonly Item[]): readonly Item[] {
  const isEqual = before.length === now.length && before.every((item, index) => item === now[index]);
  return isEqual ? [] : [...new Set(before).symmetricDifference(new Set(now))];
}

/** The table's name in a key, in lower case. */
function wordOf(key: string): string {
  const [, , table = ''] = JSON.parse(key) as readonly string[];
  return table.toLowerCase();
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
