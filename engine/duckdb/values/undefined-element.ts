/**
 * An SQL NULL in an array of kind 1, which is another value than a JSON null: the warehouse writes `undefined`. JSON has no
 * such value, so here it is a text that no other value has. It is an item of lists only: taken out of one, it is NULL.
 */
const TEXT = '\0undefined';

/** The JSON text with which DuckDB stores an SQL NULL that is an element of an array. */
export const UNDEFINED_JSON = '"\\u0000undefined"';

/** The word that the warehouse writes for an SQL NULL in the text of an array. */
export const UNDEFINED_WORD = 'undefined';

export function isUndefinedElement(value: unknown): boolean {
  return value === TEXT;
}

/** DuckDB's SQL of an element that was taken out of a list: the text that stores an SQL NULL there becomes NULL. */
export function takenElementSql(item: string): string {
  return `nullif(${item}, CAST('${UNDEFINED_JSON}' AS JSON))`;
}

/** DuckDB's SQL of an element to be put into a list, where NULL becomes the text that stores it. */
export function elementSql(item: string): string {
  return `coalesce(${item}, CAST('${UNDEFINED_JSON}' AS JSON))`;
}

/**
 * DuckDB's SQL of the text of a JSON value, whose arrays may have SQL NULLs. Its statement fails for a number with
 * an exponent: this is a floating-point number, for which the warehouse writes other digits.
 */
export function jsonTextSql(json: string, text: string): string {
  const message = 'Millrace does not support the text of a FLOAT with an exponent in semi-structured data';
  // The JSON without the texts in it.
  const numbers = String.raw`regexp_replace(${text}, '"(?:[^"\\]|\\.)*"', '', 'g')`;
  const isFloat = `CASE json_type(${json}) WHEN 'DOUBLE' THEN TRUE WHEN 'VARCHAR' THEN FALSE ELSE regexp_matches(${numbers}, '[0-9]e') END`;
  return `CASE WHEN contains(${text}, 'e') AND ${isFloat} THEN error('${message}') ELSE replace(${text}, '${UNDEFINED_JSON}', '${UNDEFINED_WORD}') END`;
}

/** A JSON text in which the SQL NULLs of arrays have the warehouse's word for them. */
export function withUndefined(json: string): string {
  return json.replaceAll(UNDEFINED_JSON, UNDEFINED_WORD);
}
