/**
 * An SQL NULL in an array of kind 1, which is another value than a JSON null: the warehouse writes `undefined`. JSON has no
 * such value, so here it is a text that no other value has. It is an item of lists only: taken out of one, it is NULL.
 */
const TEXT = '\0undefined';

/** The JSON of this text, as DuckDB has it. */
export const UNDEFINED_JSON = '"\\u0000undefined"';

/** The warehouse's word for it in the text of an array. */
export const UNDEFINED_WORD = 'undefined';

export function isUndefinedElement(value: unknown): boolean {
  return value === TEXT;
}

/** DuckDB's SQL of an item that was taken out of a list. */
export function takenElementSql(item: string): string {
  return `nullif(${item}, CAST('${UNDEFINED_JSON}' AS JSON))`;
}

/** DuckDB's SQL of an item for a list: JSON, which may be NULL. */
export function elementSql(item: string): string {
  return `coalesce(${item}, CAST('${UNDEFINED_JSON}' AS JSON))`;
}

/**
 * DuckDB's SQL of the text of JSON, which may have such elements. Refuses a number with an exponent: it is a
 * floating-point number, and the warehouse writes other digits for it.
 */
export function jsonTextSql(json: string, text: string): string {
  const message = 'Millrace does not support the text of a FLOAT with an exponent in semi-structured data';
  // The JSON without the texts in it.
  const numbers = String.raw`regexp_replace(${text}, '"(?:[^"\\]|\\.)*"', '', 'g')`;
  const isFloat = `CASE json_type(${json}) WHEN 'DOUBLE' THEN TRUE WHEN 'VARCHAR' THEN FALSE ELSE regexp_matches(${numbers}, '[0-9]e') END`;
  return `CASE WHEN contains(${text}, 'e') AND ${isFloat} THEN error('${message}') ELSE replace(${text}, '${UNDEFINED_JSON}', '${UNDEFINED_WORD}') END`;
}

/** A JSON text with the warehouse's word for such elements. */
export function withUndefined(json: string): string {
  return json.replaceAll(UNDEFINED_JSON, UNDEFINED_WORD);
}
