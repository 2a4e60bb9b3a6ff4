import type { SqlType } from '../../core/sql-type.ts';

/**
 * A name as the user wrote it. A quoted name keeps its case. Any other name is converted to the warehouse's case when
 * it is looked up.
 */
export interface Name {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly at: number;
}

interface Node {
  readonly at: number;
  /** In parentheses of its own. */
  readonly isGrouped?: true;
}

export interface OrderItem {
  readonly value: Expression;
  readonly isDescending: boolean;
  readonly nulls: 'FIRST' | 'LAST' | undefined;
}

export interface Frame {
  readonly unit: 'ROWS' | 'RANGE';
  readonly from: string;
  readonly to: string;
}

export interface Window {
  readonly partitions: readonly Expression[];
  readonly order: readonly OrderItem[];
  readonly frame: Frame | undefined;
}

export interface Call extends Node {
  readonly kind: 'call';
  /** The name of the function, in upper case. */
  readonly name: string;
  /** The parts of a name with dots or quotes. Only a function that was created with SQL can have such a name. */
  readonly path?: readonly Name[];
  readonly values: readonly Expression[];
  /** The arguments that are passed by name: `name => value`. */
  readonly named: ReadonlyMap<string, Expression>;
  readonly isDistinct: boolean;
  /** A `*` that is the only argument. */
  readonly star: Star | undefined;
  readonly hasParentheses: boolean;
  readonly ignoresNulls: boolean;
  readonly withinGroup: readonly OrderItem[] | undefined;
  readonly window: Window | undefined;
}

export interface Path extends Node {
  readonly kind: 'path';
  readonly value: Expression;
  readonly steps: readonly (string | number)[];
}

export interface Interval extends Node {
  readonly kind: 'interval';
  readonly value: Expression;
  /** The unit, in upper case. Undefined if the unit is inside the text. */
  readonly unit: string | undefined;
}

export type Expression =
  | (Node & { readonly kind: 'text' | 'number'; readonly value: string })
  | (Node & { readonly kind: 'boolean'; readonly value: boolean })
  | (Node & { readonly kind: 'null' })
  | (Node & { readonly kind: 'column'; readonly parts: readonly Name[] })
  | (Node & { readonly kind: 'unary'; readonly operator: '-' | '+' | 'NOT'; readonly value: Expression })
  | (Node & {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    })
  | (Node & {
      readonly kind: 'like';
      readonly operator: 'LIKE' | 'ILIKE' | 'RLIKE' | '~';
      readonly isNegated: boolean;
      readonly value: Expression;
      readonly pattern: Expression;
      readonly escape: Expression | undefined;
    })
  | (Node & {
      readonly kind: 'between';
      readonly isNegated: boolean;
      readonly value: Expression;
      readonly low: Expression;
      readonly high: Expression;
    })
  | (Node & {
      readonly kind: 'in';
      readonly isNegated: boolean;
      readonly value: Expression;
      readonly items: readonly Expression[] | Query;
    })
  | (Node & {
      readonly kind: 'is';
      readonly isNegated: boolean;
      readonly value: Expression;
      /** The value to test for. In a condition, UNKNOWN means the same as NULL. */
      readonly what: 'NULL' | 'TRUE' | 'FALSE' | 'UNKNOWN';
    })
  | (Node & {
      readonly kind: 'case';
      readonly subject: Expression | undefined;
      readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
      readonly otherwise: Expression | undefined;
    })
  | (Node & {
      readonly kind: 'cast';
      readonly value: Expression;
      readonly type: SqlType;
      readonly isTry: boolean;
    })
  | (Node & { readonly kind: 'exists'; readonly query: Query })
  | (Node & { readonly kind: 'subquery'; readonly query: Query })
  | Interval
  | Path
  | Call;

/** The item `*` or `table.*` of a SELECT list. */
export interface Star {
  readonly kind: 'star';
  readonly at: number;
  readonly of: readonly Name[];
  readonly excluded: readonly Name[];
}

export type SelectItem =
  { readonly kind: 'value'; readonly value: Expression; readonly alias: Name | undefined } | Star;

export interface Alias {
  readonly name: Name;
  readonly columns: readonly Name[];
}

interface Source {
  readonly at: number;
  readonly alias: Alias | undefined;
}

export type FromItem =
  | (Source & { readonly kind: 'table'; readonly parts: readonly Name[] })
  | (Source & { readonly kind: 'component'; readonly name: string })
  | (Source & { readonly kind: 'derived'; readonly query: Query; readonly isLateral: boolean })
  | (Source & { readonly kind: 'values'; readonly rows: readonly (readonly Expression[])[] })
  | (Source & { readonly kind: 'flatten'; readonly call: Call })
  | (Source & { readonly kind: 'generator'; readonly call: Call })
  | Pivot
  | Unpivot
  | Join;

export interface Pivot extends Source {
  readonly kind: 'pivot';
  readonly item: FromItem;
  readonly aggregate: Expression;
  readonly column: Name;
  readonly values: readonly { readonly value: Expression; readonly alias: Name | undefined }[];
}

export interface Unpivot extends Source {
  readonly kind: 'unpivot';
  readonly item: FromItem;
  /** The new column with the values, and the new column with the names of their columns. */
  readonly value: Name;
  readonly name: Name;
  readonly columns: readonly Name[];
  readonly keepsNulls: boolean;
}

export interface Join {
  readonly kind: 'join';
  readonly at: number;
  readonly how: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | 'CROSS';
  readonly isNatural: boolean;
  readonly left: FromItem;
  readonly right: FromItem;
  readonly on: Expression | undefined;
  readonly using: readonly Name[] | undefined;
}

/**
 * The sets of expressions by which rows are grouped. They come from `ROLLUP (…)`, `CUBE (…)` or `GROUPING SETS (…)`.
 */
export interface GroupingSets {
  readonly kind: 'grouping sets';
  readonly at: number;
  readonly sets: readonly (readonly Expression[])[];
}

export interface Select {
  readonly kind: 'select';
  readonly at: number;
  readonly isDistinct: boolean;
  readonly items: readonly SelectItem[];
  readonly from: FromItem | undefined;
  readonly where: Expression | undefined;
  readonly groups: readonly (Expression | GroupingSets)[] | 'ALL' | undefined;
  readonly having: Expression | undefined;
  readonly qualify: Expression | undefined;
}

export type QueryBody =
  | Select
  | { readonly kind: 'values'; readonly at: number; readonly rows: readonly (readonly Expression[])[] }
  | {
      readonly kind: 'set';
      readonly at: number;
      readonly operator: 'UNION' | 'UNION ALL' | 'INTERSECT' | 'EXCEPT';
      readonly left: QueryBody;
      readonly right: QueryBody;
    }
  | { readonly kind: 'nested'; readonly at: number; readonly query: Query };

export interface CommonTable {
  readonly alias: Alias;
  readonly query: Query;
}

export interface Query {
  readonly at: number;
  readonly isRecursive: boolean;
  readonly tables: readonly CommonTable[];
  readonly body: QueryBody;
  readonly order: readonly OrderItem[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}
