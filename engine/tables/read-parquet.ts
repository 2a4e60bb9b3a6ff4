import { isList } from '../../lib/core/values/is-list.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBType } from '@duckdb/node-api';
import { lfsReason } from '../../lib/core/files/decode-text.ts';
import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import { type Duckdb, loadDuckdb, loadDuckdbFrom } from '../duckdb/connection/load-duckdb.ts';
import { quoteText } from '../duckdb/catalog/physical-name.ts';
import { readValue } from '../duckdb/values/read-value.ts';
import { LongDecimal } from '../core/long-decimal.ts';
import type { Value } from '../duckdb/connection/warehouse.ts';
import { problemAt } from './file-problem.ts';
import type { Located, WrittenRows } from './written-rows.ts';

/** A Parquet file may contain far more values than bytes, because it stores equal values only once. */
const limits = { rows: 100_000, values: 2_000_000 } as const;

interface Content {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  readonly rows: readonly (readonly YamlNode[])[];
}

/** The text of a problem, before the position is added. */
class Unreadable extends Error {}

/** The contents of files that were already read, by their bytes. Many tests may refer to the same file. */
const contents = new WeakMap<Uint8Array, Promise<Content>>();

/**
 * Reads the rows of a Parquet file. `name` is the name with which another file refers to it, and the position of this
 * name. Throws FileProblems and WarehouseUnavailable.
 */
export async function readParquet(bytes: Uint8Array, name: Located, packages?: string): Promise<WrittenRows> {
  const reading = contents.get(bytes) ?? readContent(bytes, packages);
  contents.set(bytes, reading);
  try {
    const { columns, types, rows } = await reading;
    return {
      columns,
      rows: rows.map((cells) => ({
        cells: new Map(cells.map((cell, index) => [columns[index] ?? '', cell])),
        // The file has no lines.
        place: name.place,
        placeOf: () => name.place,
      })),
      types: new Map(types.map((type, index) => [columns[index] ?? '', type])),
      isUntyped: false,
    };
  } catch (error) {
    if (error instanceof Unreadable) throw problemAt(name.place, `the file "${name.text}" ${error.message}`);
    throw error;
  }
}

async function readContent(bytes: Uint8Array, packages: string | undefined): Promise<Content> {
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== 'PAR1') {
    const reason = lfsReason(bytes);
    throw new Unreadable(reason === undefined ? 'is not a Parquet file' : `cannot be read: ${reason}`);
  }
  const duckdb = await (packages === undefined ? loadDuckdb() : loadDuckdbFrom(packages));
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-parquet-'));
  try {
    // A copy: its name has no pattern, and nobody else can exchange it.
    const copy = path.join(folder, 'rows.parquet');
    await writeFile(copy, bytes);
    return await readCopy(copy, duckdb);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readCopy(copy: string, duckdb: Duckdb): Promise<Content> {
  const instance = await openInstance(duckdb);
  try {
    const connection = await instance.connect();
    await confine(connection, copy);
    return await readRows(connection, `read_parquet(${quoteText(copy)})`, duckdb);
  } finally {
    instance.closeSync();
  }
}

/** Opens a separate instance, because the instance of a test has no access to files. */
function openInstance(duckdb: Duckdb): Promise<DuckDBInstance> {
  return duckdb.DuckDBInstance.create(':memory:', {
    memory_limit: '1GB',
    threads: '1',
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
  });
}

/** After this call, the connection can read the copy and no other file. */
async function confine(connection: DuckDBConnection, copy: string): Promise<void> {
  await connection.run(`SET allowed_paths = [${quoteText(copy)}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run("SET timezone = 'UTC'");
  await connection.run('SET lock_configuration = true');
}

async function readRows(connection: DuckDBConnection, from: string, duckdb: Duckdb): Promise<Content> {
  const reader = await connection
    .streamAndReadUntil(`SELECT * FROM ${from}`, limits.rows + 1)
    .catch((error: unknown) => {
      throw new Unreadable('cannot be read: it is damaged, or reading it needs too much memory', {
        cause: error,
      });
    });
  const columns = reader.columnNames();
  refuseEqualNames(await ownNames(connection, from), columns);
  const count = reader.currentRowCount;
  if (count > limits.rows) throw new Unreadable(`has more than ${limits.rows} rows, which is the limit`);
  if (count * columns.length > limits.values) {
    throw new Unreadable(`has more than ${limits.values} values, which is the limit`);
  }
  const types = reader.columnTypes();
  const written = types.map((type) => (type.alias === 'JSON' ? 'JSON' : String(type)));
  const rows = Array.from({ length: count }, (_, row) =>
    types.map((type, index) =>
      cellOf(
        readValue(duckdb, reader.value(index, row), type),
        type,
        `row ${row + 1}, column "${columns[index] ?? ''}"`,
      ),
    ),
  );
  return { columns, types: written, rows };
}

const numeric = /^(?:DECIMAL|FLOAT|DOUBLE|U?(?:TINY|SMALL|BIG|HUGE)?INT|U?INTEGER)/;

/**
 * Converts a value to the form that it would have in a YAML file. Numbers inside lists and maps are converted too.
 */
function cellOf(value: Value, type: DuckDBType, where: string): YamlNode {
  const { valueType, entryNames = [], entryTypes = [] } = type as Partial<NestedType>;
  if (value === null) return scalar(null, '');
  if (isList(value))
    return {
      kind: 'list',
      items: value.map((item) => cellOf(item ?? null, valueType ?? type, where)),
      ...nowhere,
    };
  if (value instanceof LongDecimal) return scalar(Number(value.text), value.text);
  if (typeof value === 'object') {
    const typeOf = (key: string) => valueType ?? entryTypes[entryNames.indexOf(key)] ?? type;
    const entries = Object.entries(value).map(
      ([key, item]) => [key, { key: nowhere, value: cellOf(item ?? null, typeOf(key), where) }] as const,
    );
    return { kind: 'map', entries: new Map(entries), ...nowhere };
  }
  if (typeof value === 'bigint') return scalar(Number(value), value.toString());
  if (typeof value !== 'string') return scalar(value, String(value));
  const written = String(type);
  if (written === 'TIMESTAMP_NS' && /\.\d{7,}$/.test(value))
    throw new Unreadable(`contains a time with nanoseconds in ${where}: the engine keeps microseconds only`);
  return numeric.test(written) ? scalar(Number(value), value) : scalar(value, value);
}

/** The additional properties of the types of lists, maps and structures. */
interface NestedType {
  readonly valueType: DuckDBType;
  readonly entryNames: readonly string[];
  readonly entryTypes: readonly DuckDBType[];
}

/** The names of the columns as they are in the file. DuckDB renames columns whose names it considers equal. */
async function ownNames(connection: DuckDBConnection, from: string): Promise<readonly string[]> {
  const schema = from.replace(/^read_parquet/, 'parquet_schema');
  const reader = await connection.runAndReadAll(`SELECT name, num_children FROM ${schema}`);
  const [root, ...parts] = reader
    .getRows()
    .map(([name, children]) => ({ name: String(name), children: Number(children ?? 0) }));
  const names: string[] = [];
  let inner = 0;
  for (const { name, children } of parts) {
    if (inner === 0 && names.length < (root?.children ?? 0)) names.push(name);
    else inner -= 1;
    inner += children;
  }
  return names;
}

function refuseEqualNames(names: readonly string[], columns: readonly string[]): void {
  const other = names.find((name, index) => name !== columns[index]);
  if (other === undefined) return;
  const [first = other] = names.filter((name) => name.toLowerCase() === other.toLowerCase());
  throw new Unreadable(
    first === other
      ? `has two columns with the name "${other}"`
      : `has the columns "${first}" and "${other}", which differ only in upper and lower case`,
  );
}

const nowhere = { start: 0, end: 0 } as const;

function scalar(value: string | number | boolean | null, text: string): YamlNode {
  return { kind: 'scalar', value, text, ...nowhere };
}
