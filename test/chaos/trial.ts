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

/** What a trial that passed can show; names as in a table. */
export type Counts = Readonly<Record<string, number | string>>;

/** One row of notes on reliability: a fault, what must hold, and how often it was tried. */
export interface Trial {
  readonly id: string;
  readonly title: string;
  /** What must hold. */
  readonly criterion: string;
  /** Its long form is long for its waits: begun before the others, it costs them little. */
  readonly waits?: boolean;
  /** Throws where it does not hold; gives what was counted. */
  run(context: TrialContext): Promise<Counts>;
}

/** Ends the trial where something does not hold. */
export function mustHold(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence);
}
