import type { Narrator } from './narrator.ts';
import type { DemoServers } from './demo-servers.ts';

/** The parts that all chapters share. */
export interface Demo {
  readonly servers: DemoServers;
  readonly narrator: Narrator;
  /** The rows of the table at the end: the event, the actor, the result. */
  readonly rows: [what: string, by: string, end: string][];
  readonly signal: AbortSignal;
}

/** A failed check of the demo. The demo then ends with exit code 1. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}

/** Throws DemoFailure unless the condition holds. */
export function expectThat(holds: boolean, sentence: string): void {
  if (!holds) throw new DemoFailure(`A check failed: ${sentence}`);
}
