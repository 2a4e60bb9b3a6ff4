import { messageOf } from '../../../lib/core/errors/message-of.ts';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { byteCount } from '../connection/byte-count.ts';
import { canonicalJson, parseJson } from './canonical-json.ts';
import type { Duckdb } from '../connection/load-duckdb.ts';
import { TEXTS_TOO_LARGE } from '../connection/sql-failure.ts';
import { orderKeyText, undefinedOrder } from './order-key-text.ts';
import { JsonRefusal } from './json-texts.ts';
import { hasElement, readXml, xmlFault, xmlText } from './xml.ts';

/** The names of the functions that the engine adds to DuckDB's SQL. They get exact numbers as whole numbers. */
export const FUNCTIONS = {
  /** `(a, shift, b)` returns a × 10^shift / b, rounded half away from zero. */
  quotient: 'millrace_quotient',
  /** `(a, b, shift)` returns a × b / 10^shift, rounded half away from zero. */
  product: 'millrace_product',
  /** `(a, shift, b, shift)` returns the remainder of the division, with the sign of the first number. */
  remainder: 'millrace_remainder',
  /** `(text)` returns the JSON of the text, as `canonicalJson` writes it. */
  json: 'millrace_json',
  /** `(text)` does the same as `json` for a text from outside. Fails for JSON in the form of a stored XML element. */
  parsedJson: 'millrace_parsed_json',
  /** `(text)` is like `parsedJson`, but returns NULL for a text that is not JSON. */
  tryJson: 'millrace_try_json',
  /** `(text, 0 or 1)` returns the XML of the text as JSON. With 1, all content stays text. */
  xml: 'millrace_xml',
  /** `(text)` returns the reason why the text is not XML, or NULL if it is XML. */
  xmlFault: 'millrace_xml_fault',
  /** `(JSON)` returns the XML of an element, or NULL for any other value. */
  elementText: 'millrace_element_text',
  /** `(JSON)` returns the XML of an element. It fails for any other value. */
  xmlText: 'millrace_xml_text',
  /** `(JSON, place)` returns a text that sorts like the value. If `place` is not empty, all values of a statement must have the same type. */
  orderKey: 'millrace_order_key',
  /** `(text, n)` returns the first n bytes of the text. It fails if this would cut a character in the middle. */
  cutToBytes: 'millrace_cut_to_bytes',
  /** `(text, n)` returns the text. It fails if the text has more than n bytes. */
  fitIntoBytes: 'millrace_fit_into_bytes',
  /** `(bytes, most, copies)` returns 0. Fails if a text has more than `most` bytes, or if all copies do not fit into memory. */
  checkSize: 'millrace_check_size',
} as const;

/** If a text has at least this many bytes, its size is checked against the memory limit. */
export const LARGE_TEXT = 4096;

type Compute = (given: readonly DuckDBValue[]) => bigint | string | null;

interface Definition {
  readonly parameters: readonly ('HUGEINT' | 'INTEGER' | 'VARCHAR')[];
  readonly returns: 'HUGEINT' | 'VARCHAR';
  readonly compute: Compute;
}

/** DuckDB divides decimals as floating-point numbers, and compares JSON as text. */
const definitions: Readonly<Record<string, Definition>> = {
  [FUNCTIONS.quotient]: exact(['HUGEINT', 'INTEGER', 'HUGEINT'], ([a = 0n, shift = 0n, b = 0n]) =>
    shift < 0n ? divide(a, b * 10n ** -shift) : divide(a * 10n ** shift, b),
  ),
  [FUNCTIONS.product]: exact(['HUGEINT', 'HUGEINT', 'INTEGER'], ([a = 0n, b = 0n, shift = 0n]) =>
    divide(a * b, 10n ** shift),
  ),
  [FUNCTIONS.remainder]: exact(
    ['HUGEINT', 'INTEGER', 'HUGEINT', 'INTEGER'],
    ([a = 0n, shift = 0n, b = 0n, other = 0n]) => {
      if (b === 0n) throw new Error('Division by zero');
      return (a * 10n ** shift) % (b * 10n ** other);
    },
  ),
  [FUNCTIONS.json]: ofText(readJson),
  [FUNCTIONS.parsedJson]: ofText((text) => withoutElement(readJson(text))),
  [FUNCTIONS.tryJson]: ofText((text) => {
    try {
      return withoutElement(readJson(text));
    } catch (error) {
      if (error instanceof JsonRefusal) throw error;
      return null;
    }
  }),
  [FUNCTIONS.xml]: {
    parameters: ['VARCHAR', 'INTEGER'],
    returns: 'VARCHAR',
    compute: ([text, keepsTexts]) => {
      const written = limited(text);
      if (written.trim() === '') throw new Error('Millrace does not support PARSE_XML of an empty text');
      return readXml(written, keepsTexts === 0);
    },
  },
  [FUNCTIONS.xmlFault]: ofText((text) => {
    if (text.trim() === '') throw new Error('Millrace does not support CHECK_XML of an empty text');
    return xmlFault(text) ?? null;
  }),
  [FUNCTIONS.elementText]: ofText((json) => xmlText(parseJson(json)) ?? null),
  [FUNCTIONS.xmlText]: ofText((json) => {
    const text = xmlText(parseJson(json));
    if (text === undefined)
      throw new Error('Millrace does not support TO_XML of a value that is not an XML element');
    return text;
  }),
  [FUNCTIONS.cutToBytes]: {
    parameters: ['VARCHAR', 'INTEGER'],
    returns: 'VARCHAR',
    compute: ([text, count]) => {
      const cut = cutToBytes(String(text), Number(count));
      if (cut !== undefined) return cut;
      throw new Error(
        `Millrace does not support a cast to VARCHAR(${String(count)}) that would cut a character in the middle`,
      );
    },
  },
  [FUNCTIONS.fitIntoBytes]: {
    parameters: ['VARCHAR', 'INTEGER'],
    returns: 'VARCHAR',
    compute: ([text, count]) => {
      if (Buffer.byteLength(String(text)) <= Number(count)) return String(text);
      throw new Error(`the value has more characters than VARCHAR(${String(count)})`);
    },
  },
};

function ofText(compute: (text: string) => string | null): Definition {
  return { parameters: ['VARCHAR'], returns: 'VARCHAR', compute: ([text]) => compute(limited(text)) };
}

/** A warehouse has no larger semi-structured values either, and nothing else happens here while one is read. */
const MAX_LENGTH = 16 * 1024 * 1024;

function limited(value: DuckDBValue | undefined): string {
  const text = String(value);
  if (text.length <= MAX_LENGTH) return text;
  throw new Error(`a semi-structured value would have more than ${MAX_LENGTH} characters`);
}

/** The part of a text that consists of its first bytes. Undefined if these bytes end in the middle of a character. */
export function cutToBytes(text: string, count: number): string | undefined {
  const bytes = Buffer.from(text);
  const next = bytes[count];
  if (next === undefined) return text;
  const isWithin = next >= 0x80 && next < 0xc0;
  return isWithin ? undefined : bytes.toString('utf8', 0, count);
}

/** What the engine's functions know about the statement that calls them. */
export interface RunningStatement {
  /** Whether the statement is being cancelled. DuckDB checks this only after a function was called for some thousand rows. */
  isEnding: boolean;
  /** The type of the values that each ORDER BY sorts, by the position of the ORDER BY. */
  readonly orderedTypes: Map<string, string>;
}

interface FunctionOptions {
  readonly memoryLimit: string;
  readonly running: RunningStatement;
}

/** Adds the engine's functions to a connection of DuckDB. Each function returns NULL if an argument is NULL. */
export function registerFunctions(
  duckdb: Duckdb,
  connection: DuckDBConnection,
  { memoryLimit, running }: FunctionOptions,
): void {
  const bytes = byteCount(memoryLimit);
  const start = (begin: () => Compute) => (): Compute => {
    if (running.isEnding) throw new Error('the statement is being ended');
    return begin();
  };
  for (const [name, { parameters, returns, compute }] of Object.entries(definitions))
    register(duckdb, connection, {
      name,
      parameters,
      returns,
      start: start(returns === 'VARCHAR' ? () => withinSize(compute, bytes / PARTS) : () => compute),
    });
  register(duckdb, connection, {
    name: FUNCTIONS.orderKey,
    parameters: ['VARCHAR', 'VARCHAR'],
    returns: 'VARCHAR',
    start: start(() => withinSize(orderKey(running.orderedTypes), bytes / PARTS)),
  });
  register(duckdb, connection, {
    name: FUNCTIONS.checkSize,
    parameters: ['HUGEINT', 'INTEGER', 'INTEGER'],
    returns: 'HUGEINT',
    start: start(() => sizeCheck(BigInt(bytes))),
  });
}

/** The part of the memory limit that the texts of one call may have: until it ends, this process does nothing else. */
const PARTS = 16;

function withinSize(compute: Compute, limitOfCall: number): Compute {
  let sum = 0;
  return (values) => {
    sum += typeof values[0] === 'string' ? values[0].length : 0;
    if (sum > limitOfCall) throw new Error(TEXTS_TOO_LARGE);
    return compute(values);
  };
}

function orderKey(types: Map<string, string>): Compute {
  return ([json, place]) => {
    const key = orderKeyText(String(json));
    if (place === '') return key;
    const type = key.slice(0, 1);
    const firstType = types.get(String(place));
    if (firstType !== undefined && firstType !== type) throw undefinedOrder('different types');
    types.set(String(place), type);
    return key;
  };
}

/** DuckDB builds the texts of some thousand rows at once, and its own limit does not count them. */
function sizeCheck(limit: bigint): Compute {
  let sum = 0n;
  return ([bytes = 0n, most = 0n, copies = 1n]) => {
    const size = toBigInt(bytes);
    if (size > toBigInt(most)) throw new Error(`the text would be longer than ${String(most)}`);
    sum += size * toBigInt(copies);
    if (sum > limit) throw new Error(TEXTS_TOO_LARGE);
    return 0n;
  };
}

interface Registration extends Omit<Definition, 'compute'> {
  readonly name: string;
  /** Called for the rows that DuckDB computes at once. */
  readonly start: () => Compute;
}

function register(duckdb: Duckdb, connection: DuckDBConnection, registration: Registration): void {
  const { name, parameters, returns, start } = registration;
  const parameterTypes = parameters.map((type) => duckdb[type]);
  const mainFunction: MainFunction = (info, input, output) => {
    try {
      const compute = start();
      const columns = parameters.map((_, index) => input.getColumnVector(index));
      for (let row = 0; row < input.rowCount; row += 1) {
        const values = columns.map((column) => column.getItem(row));
        output.setItem(row, values.includes(null) ? null : compute(values));
      }
      output.flush();
    } catch (error) {
      info.setError(messageOf(error));
    }
  };
  const definition = { name, parameterTypes, returnType: duckdb[returns], mainFunction };
  connection.registerScalarFunction(duckdb.DuckDBScalarFunction.create(definition));
}

type MainFunction = Parameters<Duckdb['DuckDBScalarFunction']['create']>[0]['mainFunction'];

/** The largest number of digits that a warehouse has. */
const limit = 10n ** 38n;

function exact(
  parameters: Definition['parameters'],
  compute: (values: readonly bigint[]) => bigint,
): Definition {
  return {
    parameters,
    returns: 'HUGEINT',
    compute: (values) => {
      const value = compute(values.map(toBigInt));
      if (value < limit && value > -limit) return value;
      throw new Error('the number has more than 38 digits');
    },
  };
}

function toBigInt(value: DuckDBValue): bigint {
  return typeof value === 'bigint' ? value : BigInt(String(value));
}

function readJson(text: string): string {
  try {
    return canonicalJson(text);
  } catch (error) {
    if (error instanceof JsonRefusal) throw error;
    const reason = messageOf(error);
    throw new Error(`Malformed JSON: ${reason}`, { cause: error });
  }
}

/** An XML element is kept as an object with `@` and `$`: JSON of this form is not the same value to a warehouse. */
function withoutElement(json: string): string {
  if (json.includes('"@":') && json.includes('"$":') && hasElement(parseJson(json)))
    throw new JsonRefusal('JSON that has the form of an XML element, an object with the keys @ and $');
  return json;
}

function divide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new Error('Division by zero');
  const [top, bottom] = [a < 0n ? -a : a, b < 0n ? -b : b];
  const rounded = (2n * top + bottom) / (2n * bottom);
  return a < 0n === b < 0n ? rounded : -rounded;
}
