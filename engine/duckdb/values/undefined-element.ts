/**
 * An SQL NULL in an array of `WAREHOUSE_ONE`, which is another value than a JSON null: the warehouse writes
 * `undefined`. JSON has no such value, so here it is a text that no other value has. It is an item of lists only:
 * taken out of one, it is NULL.
 */
const TEXT = '\0undefined';

/** The JSON text with which DuckDB stores an SQL NULL that is an item of an array. */
export const UNDEFINED_JSON = '"\\u0000undefined"';

/** The word that the warehouse writes for an SQL NULL in the text of an array. */
export const UNDEFINED_WORD = 'undefined';

export function isUndefinedElement(value: unknown): boolean {
  return value === TEXT;
}

/**
 * DuckDB's SQL for an item that was taken out of a list. The text that means an SQL NULL in the list becomes
 * NULL.
 */
export function takenElementSql(item: string): string {
  return `nullif(${item}, CAST('${UNDEFINED_JSON}' AS JSON))`;
}

/** DuckDB's SQL for an item to be put into a list. NULL becomes the text that means NULL in the list. */
export function elementSql(item: string): string {
  return `coalesce(${item}, CAST('${UNDEFINED_JSON}' AS JSON))`;
}

/**
 * DuckDB's SQL for the text of a JSON value whose arrays may contain SQL NULLs. The statement fails for a number with
 * an exponent, because such a number is a FLOAT, and the warehouse would write other digits for it.
 */
export function jsonTextSql(json: string, text: string): string {
  const message = 'Millrace does not support the text of a FLOAT with an exponent in semi-structured data';
  // The JSON without the texts in it.
  const numbers = String.raw`regexp_replace(${text}, '"(?:[^"\\]|\\.)*"', '', 'g')`;
  const isFloat = `CASE json_type(${json}) WHEN 'DOUBLE' THEN TRUE WHEN 'VARCHAR' THEN FALSE ELSE regexp_matches(${numbers}, '[0-9]e') END`;
  return `CASE WHEN contains(${text}, 'e') AND ${isFloat} THEN error('${message}') ELSE replace(${text}, '${UNDEFINED_JSON}', '${UNDEFINED_WORD}') END`;
}

/** A JSON text in which each SQL NULL in an array is written as the warehouse writes it. */
export function withUndefined(json: string): string {
  return json.replaceAll(UNDEFINED_JSON, UNDEFINED_WORD);
}
