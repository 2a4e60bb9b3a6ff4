/** A value that JSON can carry. Object properties that are `undefined` are left out, as by `JSON.stringify`. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined };

/** Deeper values are refused: no text that Millrace signs needs more, and recursion must end. */
const maxDepth = 64;

/**
 * The one text of a JSON value (RFC 8785): keys sorted by their UTF-16 code units, no blanks, JavaScript's escapes. Equal
 * values have equal bytes, so that a digest or a signature of the text means the value.
 *
 * Numbers are safe integers only, because programs differ in how they write fractions: carry those as text, or as two
 * integers. Throws TypeError for any other number, a lone surrogate (no UTF-8 text has one), a value that JSON cannot carry,
 * and more than 64 levels.
 */
export function canonicalJson(value: JsonValue): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (depth > maxDepth) throw new TypeError(`Canonical JSON has at most ${maxDepth} levels.`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return writeText(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value))
      throw new TypeError(`Canonical JSON has only whole numbers up to 2^53 - 1, not ${value}.`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  if (typeof value !== 'object' || !isPlain(value))
    throw new TypeError(`Canonical JSON cannot carry ${describe(value)}.`);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  // The default order of a sort is by UTF-16 code units.
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${writeText(key)}:${write(item, depth + 1)}`).join(',')}}`;
}

function writeText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('Canonical JSON cannot carry a lone surrogate.');
  return JSON.stringify(text);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describe(value: unknown): string {
  return typeof value === 'object' && value !== null
    ? `an object of ${value.constructor.name}`
    : typeof value;
}
