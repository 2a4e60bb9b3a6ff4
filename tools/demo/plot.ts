import type { Narrator } from './narrator.ts';
import type { Stage } from './stage.ts';

/** What later chapters need to know of earlier ones, and the rows of the table at the end. */
export interface Plot {
  readonly stage: Stage;
  readonly tell: Narrator;
  /** What happened, who did it, how it ended. */
  readonly rows: [what: string, by: string, end: string][];
  readonly signal: AbortSignal;
}

/** A promise of the story that did not hold: the demo then ends with exit code 1. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

/** Fails the story where something is not as it was told. */
export function expectThat(holds: boolean, sentence: string): void {
  if (!holds) throw new BrokenPromise(`This should have held and did not: ${sentence}`);
}
