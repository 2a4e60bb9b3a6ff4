import type { ReadySeed } from '../seed/seed-schema.ts';

export type Command = 'start' | 'stop';

export interface StreamingOutcome {
  /** Milliseconds until the command succeeds or fails. */
  readonly takesMs: number;
  readonly fails: boolean;
}

/** The results of commands to streaming pipelines, from the seed. Counts how often each entry was used. */
export interface StreamingScript {
  take(pipeline: string, command: Command): StreamingOutcome;
  reset(): void;
}

export function createStreamingScript({ streaming, settings }: ReadySeed): StreamingScript {
  const begin = () => streaming.map((entry) => ({ entry, left: entry.times ?? Number.POSITIVE_INFINITY }));
  let entries = begin();
  return {
    take(pipeline, command) {
      const found = entries.find(
        ({ entry, left }) => left > 0 && entry.pipeline === pipeline && entry.command === command,
      );
      if (found !== undefined) found.left -= 1;
      return {
        takesMs: found?.entry.after ?? settings.streamingTime,
        fails: found?.entry.outcome === 'failure',
      };
    },
    reset() {
      entries = begin();
    },
  };
}
