import { isList } from '../../../lib/core/values/is-list.ts';
import { JsonNull, LongDecimal, type SqlType, type Value } from '../../../engine/index.ts';
import { quoteText } from '../../../lib/yaml/quote-text.ts';

/** A name or a text as YAML writes it inside braces: in quotes if it could mean something else. */
export function yamlText(text: string): string {
  const isPlain =
    /^[A-Za-z_][\w./-]*(?: [\w./-]+)*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : yamlQuoted(text);
}

/** A text in quotation marks, as YAML writes it. */
export function yamlQuoted(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) && !text.includes("'") ? `'${text}'` : quoteText(text);
}

/** A value of a column in YAML, written so that reading it gives an equal value. */
export function yamlValue(value: Value, type: SqlType | undefined): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return String(value);
  if (value instanceof JsonNull) return '{ jsonNull: true }';
  if (value instanceof LongDecimal) return value.text;
  if (typeof value !== 'string') return yamlTree(value);
  // As the report shows it: numbers are compared by value.
  if (type?.name === 'NUMBER') return value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
  if (type?.name === 'FLOAT') return value === 'NaN' ? '.nan' : value === 'Infinity' ? '.inf' : '-.inf';
  return type?.name === 'VARCHAR' || type?.name === 'VARIANT' ? yamlText(value) : yamlQuoted(value);
}

function yamlTree(value: Value): string {
  if (isList(value)) return `[${value.map(treeText).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${yamlText(key)}: ${treeText(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** YAML cannot write an item that is an SQL NULL, but a null in its place is compared as equal. */
function treeText(value: Value | undefined): string {
  if (value === undefined) return 'null';
  return typeof value === 'string' ? yamlText(value) : yamlValue(value, undefined);
}

/** A row in one line: `{ id: 1, note: a }`. */
export function yamlRow(cells: readonly (readonly [name: string, text: string])[]): string {
  return cells.length === 0
    ? '{}'
    : `{ ${cells.map(([name, text]) => `${yamlText(name)}: ${text}`).join(', ')} }`;
}
