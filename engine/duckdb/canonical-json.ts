/** A value of JSON whose numbers keep their texts. */
export type Json = null | boolean | string | NumberText | readonly Json[] | { readonly [key: string]: Json };

export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * The one text of a JSON value: without spaces, with sorted keys, and with one form of each number. Equal values have
 * equal texts, also after DuckDB took them out of a larger value. Throws SyntaxError.
 */
export function canonicalJson(text: string): string {
  return writeJson(parseJson(text));
}

export function parseJson(text: string): Json {
  return JSON.parse(text, (_key, value: Json | number, context?: { readonly source?: string }) =>
    typeof value === 'number' ? new NumberText(numberText(value, context?.source ?? '')) : value,
  ) as Json;
}

/** The digits of a whole number or of a long decimal stay; other numbers have the shortest text with the same value. */
export function numberText(value: number, source: string): string {
  if (/^-?\d+$/.test(source)) return BigInt(source).toString();
  if (/^-?\d+\.\d+$/.test(source) && source.replaceAll(/\D/g, '').length > 15)
    return source.replace(/\.?0+$/, '');
  return canonicalNumber(value);
}

/** A number as JSON has it, in the form that DuckDB writes too. */
export function canonicalNumber(value: number): string {
  return Number.isFinite(value) ? String(value).replace('e+', 'e') : 'null';
}

/** A text as JSON has it, in the form that DuckDB writes too. */
export function canonicalText(text: string): string {
  return JSON.stringify(text).replaceAll(/\\u00[01][a-f]/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
}

/** The order of keys. */
export function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

export function writeJson(json: Json): string {
  if (json instanceof NumberText) return json.text;
  if (typeof json === 'string') return canonicalText(json);
  if (json === null || typeof json !== 'object') return String(json);
  if (isList(json)) return `[${json.map(writeJson).join(',')}]`;
  const members = Object.entries(json).toSorted(byKey);
  return `{${members.map(([key, member]) => `${canonicalText(key)}:${writeJson(member)}`).join(',')}}`;
}

function isList(json: object): json is readonly Json[] {
  return Array.isArray(json);
}
