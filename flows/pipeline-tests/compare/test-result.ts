import type { ExactNumber } from './exact-number.ts';
import type { TestPlace } from '../files/test-file.ts';

/** A value in a report, as JSON data: a row by column name, a text, a number. */
export type Shown =
  null | string | number | boolean | ExactNumber | readonly Shown[] | { readonly [key: string]: Shown };

export const differenceKinds = [
  'outcome',
  'timeout',
  'refused',
  'missing-table',
  'present-table',
  'missing-column',
  'missing-row',
  'extra-row',
  'changed-row',
  'count',
  'variable',
  'ran',
  'not-ran',
] as const;

/** A false expectation, or a construct that the engine refused. */
export interface Difference extends TestPlace {
  readonly kind: (typeof differenceKinds)[number];
  readonly table?: string;
  /** The component that caused it, if that is known. */
  readonly component?: string;
  /** Where that component is. */
  readonly at?: TestPlace;
  readonly expected?: Shown;
  readonly actual?: Shown;
  /** For a row that differs: the columns whose values differ. */
  readonly columns?: readonly string[];
  readonly message: string;
  /** The SQL that failed, as written, and what the engine made of it. */
  readonly sql?: { readonly written?: string | undefined; readonly ran?: string | undefined };
}

export interface TestResult {
  readonly file: string;
  readonly line: number;
  readonly name: string;
  /** The path of the pipeline's file. */
  readonly pipeline: string;
  readonly status: 'passed' | 'failed' | 'refused';
  readonly durationMs: number;
  readonly differences: readonly Difference[];
  /** It passed before, and has not run again because all that it reads is the same. */
  readonly isCached?: true;
}
