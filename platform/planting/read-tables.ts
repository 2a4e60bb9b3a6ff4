import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { isRecord } from '../../lib/core/values/is-record.ts';
import {
  FileProblems,
  type FixtureFile,
  problemAt,
  readTextFixture,
  textOfFile,
} from '../../engine/index.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { TableSeed } from '../seed/seed-schema.ts';
import { checkValues } from './check-values.ts';

type Path = readonly PropertyKey[];
type WrittenPath = (string | number)[];

/** A seed whose tables are in a list. */
export interface ListedTables {
  readonly value: unknown;
  /** The path in the file for a path in `value`. */
  readonly pathOf: (path: Path) => WrittenPath;
}

/** Converts tables that are a map (`tables: { orders: { file: orders.csv } }`) to a list. */
export function listTables(value: unknown): ListedTables {
  const seed = typeof value === 'object' && value !== null ? value : {};
  const tables: unknown = 'tables' in seed ? seed.tables : undefined;
  const written = (path: Path): WrittenPath =>
    path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (typeof tables !== 'object' || tables === null || Array.isArray(tables)) {
    return { value, pathOf: written };
  }
  const named = Object.entries(tables);
  const list = named.map(([name, table]: [string, unknown]) =>
    isRecord(table) ? { name, ...table } : table,
  );
  return {
    value: { ...seed, tables: list },
    pathOf([first, second, ...rest]) {
      const name = first === 'tables' && typeof second === 'number' ? named[second]?.[0] : undefined;
      return written([first, name ?? second, ...rest].filter((step) => step !== undefined));
    },
  };
}

interface SeedPlace {
  /** The folder of the seed file. Nothing outside of it is read. */
  readonly base: string;
  readonly file: string;
  readonly placeOf: (path: Path) => { readonly line: number; readonly column: number } | undefined;
  /** The node of a table, by its place in the list. */
  readonly nodeOf: (table: number) => YamlNode | undefined;
  readonly placeOfNode: (node: YamlNode) => { readonly line: number; readonly column: number };
}

/** A seed is stored with the state, so that a reset does not need its files. */
const maxBytes = 16 * 1024 ** 2;

/** Adds the content of the files that tables name. Throws Failure 'config-invalid' with file, line and column. */
export function withTableFiles(tables: readonly TableSeed[], seed: SeedPlace): TableSeed[] {
  let bytes = 0;
  return tables.map((table, index) => {
    const { line, column } = seed.placeOf(['tables', index, 'file']) ?? { line: 1, column: 1 };
    const place = { file: seed.file, line, column };
    try {
      if (table.file === undefined) {
        checkValues(table, {
          node: seed.nodeOf(index),
          placeOf: (node) => ({ file: seed.file, ...seed.placeOfNode(node) }),
        });
        return table;
      }
      if (table.rows.length > 0) throw problemAt(place, 'a table has `rows` or `file`, not both');
      const tableFile = fileInside(seed.base, table.file);
      if (tableFile === undefined) {
        throw problemAt(place, `the file "${table.file}" does not exist in the folder of the seed`);
      }
      // Throws for an invalid text, with its position.
      readTextFixture({ text: table.file, place }, tableFile);
      bytes += tableFile.size();
      if (bytes > maxBytes) throw problemAt(place, 'the files of the tables have more than 16 MiB');
      return { ...table, content: Buffer.from(tableFile.bytes()).toString('base64') };
    } catch (error) {
      throw error instanceof FileProblems ? invalid(error) : error;
    }
  });
}

function invalid({ problems: [problem], message }: FileProblems): Failure {
  const { file = '', line = 1, column = 1 } = problem ?? {};
  return new Failure('config-invalid', {
    message: `The seed is invalid: ${problem?.message ?? message}`,
    where: { file, line, column },
  });
}

/** A file in a folder, symbolic links followed; undefined if it is elsewhere or not a file. */
function fileInside(base: string, file: string): FixtureFile | undefined {
  try {
    const root = realpathSync(base);
    const path = realpathSync(resolve(root, file));
    if (!path.startsWith(`${root}${sep}`) || !statSync(path).isFile()) return undefined;
    return {
      file,
      size: () => statSync(path).size,
      text: () => textOfFile(readFileSync(path), file),
      bytes: () => readFileSync(path),
    };
  } catch {
    return undefined;
  }
}
