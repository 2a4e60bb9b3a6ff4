/** A type of a value: its cells, PostgreSQL's SQL of a text with the value, and whether a text has such a value. */
export interface ValueType {
  readonly cells: readonly [datatype: string, size: string, places: string];
  readonly sql: (json: string) => string;
  readonly pattern: string | undefined;
}

/** A value as a text without quotes; NULL for a JSON null. */
export const text = (json: string) => `(${json}) #>> '{}'`;
export const types = {
  VARCHAR: { cells: ['VARCHAR', '0', '0'], sql: text, pattern: undefined },
  NUMBER: {
    cells: ['NUMBER', '10', '2'],
    sql: (json) => `CAST(${text(json)} AS numeric(10,2))`,
    pattern: String.raw`^-?\d+(\.\d+)?$`,
  },
  WHOLE: {
    cells: ['NUMBER', '0', '0'],
    sql: (json) => `CAST(${text(json)} AS numeric(38,0))`,
    pattern: String.raw`^-?\d+(\.\d+)?$`,
  },
  DATE: {
    cells: ['DATE', '', ''],
    sql: (json) => `CAST(${text(json)} AS date)`,
    pattern: String.raw`^\d{4}-\d\d-\d\d$`,
  },
  BOOLEAN: {
    cells: ['BOOLEAN', '', ''],
    sql: (json) => `CAST(${text(json)} AS boolean)`,
    pattern: undefined,
  },
  VARIANT: { cells: ['VARIANT', '', ''], sql: (json) => json, pattern: undefined },
} as const satisfies Readonly<Record<string, ValueType>>;
export type TypeName = keyof typeof types;
