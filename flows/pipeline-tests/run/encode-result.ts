import { isList } from '../../../lib/core/values/is-list.ts';
import { exactNumber, isExactNumber, jsonNullCell, sqlNullItem } from '../compare/exact-number.ts';
import type { Difference, Shown, TestResult } from '../compare/test-result.ts';

/**
 * A value of a difference as JSON data that can be decoded exactly: numbers keep all digits, -0 stays -0, and the
 * NULL in a list and a JSON null as a whole cell stay distinct from texts and objects.
 */
export type EncodedShown =
  | null
  | string
  | number
  | boolean
  | { readonly special: keyof typeof specials }
  | { readonly exact: string }
  | { readonly list: readonly EncodedShown[] }
  | { readonly object: readonly (readonly [key: string, value: EncodedShown])[] };

/** The values that have no JSON of their own. */
const specials = { null: sqlNullItem, 'JSON null': jsonNullCell, '-0': -0 } as const;

/** A difference as JSON data. */
export type EncodedDifference = Omit<Difference, 'expected' | 'actual'> & {
  readonly expected?: EncodedShown;
  readonly actual?: EncodedShown;
};

/** The result of a test as JSON data, for messages between processes and for blobs. */
export type EncodedResult = Omit<TestResult, 'differences'> & {
  readonly differences: readonly EncodedDifference[];
};

export function encodeResult(result: TestResult): EncodedResult {
  return { ...result, differences: result.differences.map(encodeDifference) };
}

/** The inverse of `encodeResult`; also works after JSON was written and parsed. */
export function decodeResult(result: EncodedResult): TestResult {
  return { ...result, differences: result.differences.map(decodeDifference) };
}

/** Keys keep their order: reports have it. */
function encodeDifference(difference: Difference): EncodedDifference {
  const { expected, actual } = difference;
  return {
    ...(difference as Omit<Difference, 'expected' | 'actual'>),
    ...(expected === undefined ? {} : { expected: encodeShown(expected) }),
    ...(actual === undefined ? {} : { actual: encodeShown(actual) }),
  };
}

function decodeDifference(difference: EncodedDifference): Difference {
  const { expected, actual } = difference;
  return {
    ...(difference as Omit<EncodedDifference, 'expected' | 'actual'>),
    ...(expected === undefined ? {} : { expected: decodeShown(expected) }),
    ...(actual === undefined ? {} : { actual: decodeShown(actual) }),
  };
}

function encodeShown(shown: Shown): EncodedShown {
  if (shown === sqlNullItem) return { special: 'null' };
  if (shown === jsonNullCell) return { special: 'JSON null' };
  if (Object.is(shown, -0)) return { special: '-0' };
  if (isExactNumber(shown)) return { exact: shown.exactNumber };
  if (shown === null || typeof shown !== 'object') return shown;
  if (isList(shown)) return { list: shown.map(encodeShown) };
  return { object: Object.entries(shown).map(([key, value]) => [key, encodeShown(value)] as const) };
}

function decodeShown(encoded: EncodedShown): Shown {
  if (encoded === null || typeof encoded !== 'object') return encoded;
  if ('special' in encoded) return specials[encoded.special];
  if ('exact' in encoded) return exactNumber(encoded.exact);
  if ('list' in encoded) return encoded.list.map(decodeShown);
  return Object.fromEntries(encoded.object.map(([key, value]) => [key, decodeShown(value)]));
}
