import { Failure } from '../../lib/core/errors/failure.ts';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { writtenSentences } from '../refusal/violations.ts';
import type { Store } from '../store/store.ts';
import { defaultSeed } from '../seed/default-seed.ts';
import { type ReadySeed, type Seed, seedSchema } from '../seed/seed-schema.ts';

export interface FoundSeed {
  readonly seed: ReadySeed;
  /** Number of earlier starts with this state; 0 if the seed is not planted yet. */
  readonly starts: number;
}

/**
 * The seed of the state: the stored seed, or else the given one, which is not planted yet. @throws Failure
 * `config-invalid`
 */
export function findSeed(store: Store, seed: Seed | undefined, logger: Logger): FoundSeed {
  const stored = store.get<{ value: string }>(`SELECT value FROM setting WHERE key = 'seed'`);
  if (stored !== undefined) {
    if (seed !== undefined) logger.warn('The directory already has state, so the seed is not planted again.');
    return { seed: seedSchema.parse(JSON.parse(stored.value)), starts: countStart(store) };
  }
  const checked = seedSchema.safeParse(seed ?? defaultSeed, { reportInput: true });
  if (!checked.success)
    throw new Failure('config-invalid', {
      message: `The seed is invalid: ${writtenSentences(checked.error.issues).join('; ')}`,
      where: { input: '--seed' },
    });
  return { seed: checked.data, starts: 0 };
}

function countStart(store: Store): number {
  const before = store.get<{ value: string }>(`SELECT value FROM setting WHERE key = 'starts'`);
  const starts = Number(before?.value ?? 0) + 1;
  store.run(`INSERT OR REPLACE INTO setting (key, value) VALUES ('starts', ?)`, String(starts));
  return starts;
}
