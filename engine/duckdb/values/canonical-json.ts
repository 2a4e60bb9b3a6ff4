import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { isList } from '../../../lib/core/values/is-list.ts';
import { canonicalText, numberText } from './json-texts.ts';
import { scanJson } from './scan-json.ts';

/** A JSON value in which each number is kept as a text, with all its digits. */
export type Json = null | boolean | string | NumberText | readonly Json[] | { readonly [key: string]: Json };

export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * The canonical form of a JSON value: without spaces, with sorted keys, and with one spelling for equal numbers.
 * Equal values have equal texts, even after DuckDB extracted them from a larger value. Throws SyntaxError.
 */
export function canonicalJson(text: string): string {
  // JavaScript's own parser reports the faults, because it has messages for them.
  return scanJson(text) ?? writeJson(parseJson(text));
}

export function parseJson(text: string): Json {
  return JSON.parse(text, (_key, value: Json | number, context?: { readonly source?: string }) =>
    typeof value === 'number' ? new NumberText(numberText(value, context?.source ?? '')) : value,
  ) as Json;
}

/** Compares two members of an object by their keys. For sorting. */
export function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareTexts(a, b);
}

export function writeJson(json: Json): string {
  if (json instanceof NumberText) return json.text;
  if (typeof json === 'string') return canonicalText(json);
  if (json === null || typeof json !== 'object') return String(json);
  if (isList(json)) return `[${json.map(writeJson).join(',')}]`;
  const members = Object.entries(json).toSorted(byKey);
  return `{${members.map(([key, member]) => `${canonicalText(key)}:${writeJson(member)}`).join(',')}}`;
}
