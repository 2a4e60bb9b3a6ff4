import type { Column } from '../core/relation.ts';
import type { Certainty } from './bound-pipeline.ts';

/** What a part produces: the output columns of a component, and the tables that it defines. */
export interface Shape {
  readonly output: readonly Column[] | undefined;
  readonly tables: readonly { readonly sql: string; readonly columns: readonly Column[] | undefined }[];
}

/** The result of an attempt in which one value replaces the unknown values. */
export type Outcome = { readonly shape: Shape } | { readonly message: string };

/** Thrown at the end of a successful attempt, so that the transaction of the attempt is rolled back. */
export class Rehearsal extends Error {
  override readonly name = 'Rehearsal';
  readonly shape: Shape;

  constructor(shape: Shape) {
    super('bound for a trial');
    this.shape = shape;
  }
}

/** What is certain about the columns of a part for all possible unknown values. */
export interface Dependence extends Certainty {
  /** Whether the part uses the same tables for all values. */
  readonly areTablesSame: boolean;
}

export const independent: Dependence = { areNamesComplete: true, areTypesKnown: true, areTablesSame: true };
export const dependent: Dependence = { areNamesComplete: false, areTypesKnown: false, areTablesSame: true };

/**
 * Compares what a part produces with several values. A single value is not enough, because it may happen to be part
 * of a name.
 */
export function dependenceOf(first: Shape, outcomes: readonly Outcome[]): Dependence {
  const shapes = outcomes.flatMap((outcome) => ('shape' in outcome ? outcome.shape : []));
  const areSame = (text: (shape: Shape) => unknown) => {
    const expected = JSON.stringify(text(first));
    return shapes.every((shape) => JSON.stringify(text(shape)) === expected);
  };
  const names = (columns: readonly Column[] | undefined) => columns?.map(({ name }) => name);
  const isTried = shapes.length > 1;
  return {
    areTablesSame: areSame(({ tables }) => tables.map(({ sql }) => sql)),
    areNamesComplete:
      isTried &&
      areSame(({ output, tables }) => [names(output), tables.map(({ columns }) => names(columns))]),
    areTypesKnown: isTried && areSame(({ output, tables }) => [output, tables]),
  };
}

/** Whether a part fails in the same way with every value that can occur in its text. */
export function failsAlways(message: string, outcomes: readonly Outcome[]): boolean {
  if (outcomes.some((outcome) => 'shape' in outcome)) return false;
  return outcomes.filter((outcome) => 'message' in outcome && outcome.message === message).length > 1;
}
