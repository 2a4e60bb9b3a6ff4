import type { ReadySeed } from '../seed/seed-schema.ts';

export type Command = 'start' | 'stop';

export interface StreamingOutcome {
  /** Milliseconds until the command succeeds or fails. */
  readonly takesMs: number;
  readonly fails: boolean;
}

/** The results of commands to streaming pipelines that the seed defines. Counts how often each entry was used. */
export interface StreamingScript {
  take(pipeline: string, command: Command): StreamingOutcome;
  reset(): void;
}

export function createStreamingScript({ streaming, settings }: ReadySeed): StreamingScript {
  const begin = () => streaming.map((entry) => ({ entry, left: entry.times ?? Number.POSITIVE_INFINITY }));
  let entries = begin();
  return {
    take(pipeline, command) {
      const match = entries.find(
        ({ entry, left }) => left > 0 && entry.pipeline === pipeline && entry.command === command,
      );
      if (match !== undefined) match.left -= 1;
      return {
        takesMs: match?.entry.after ?? settings.streamingTime,
        fails: match?.entry.outcome === 'failure',
      };
    },
    reset() {
      entries = begin();
    },
  };
}
