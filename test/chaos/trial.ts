import type { Seeded } from './environment/seeded.ts';

/** What a trial is given. */
export interface TrialContext {
  readonly random: Seeded;
  /** `short`: part of `npm run test:deep`. `long`: all of it. */
  readonly form: 'short' | 'long';
  /** Multiplies how often the long form does things. */
  readonly scale: number;
  /** One line on the progress. */
  log(line: string): void;
}

/** The results of a trial that passed: the rows of a table. */
export type Counts = Readonly<Record<string, number | string>>;

/** One section of docs/reliability.md: a fault, what must hold, and how often it was tried. */
export interface Trial {
  readonly id: string;
  readonly title: string;
  /** What must hold. */
  readonly criterion: string;
  /** Its long form mostly waits: started before the others, it hardly delays them. */
  readonly waits?: boolean;
  /** Its long form limits a time to milliseconds: it runs after the others, with nothing beside it. */
  readonly alone?: boolean;
  /** Throws if the criterion does not hold; returns what was counted. */
  run(context: TrialContext): Promise<Counts>;
}

/** Ends the trial if something does not hold. */
export function mustHold(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence);
}
