import { Failure } from '../../lib/core/failure.ts';
import type { Logger } from '../../lib/core/ports.ts';
import { writtenSentences } from '../refusal/violations.ts';
import type { Store } from '../store/store.ts';
import { defaultSeed } from '../seed/default-seed.ts';
import { type ReadySeed, type Seed, seedSchema } from '../seed/seed-schema.ts';

export interface FoundSeed {
  readonly seed: ReadySeed;
  /** How often the state that was made from it was opened before; 0 where it is still to be planted. */
  readonly starts: number;
}

/**
 * The seed that the state was made from: the stored one, or else the given one, which is still to be planted.
 * @throws Failure `config-invalid`
 */
export function findSeed(store: Store, given: Seed | undefined, logger: Logger): FoundSeed {
  const stored = store.get<{ value: string }>(`SELECT value FROM setting WHERE key = 'seed'`);
  if (stored !== undefined) {
    if (given !== undefined) logger.warn('The directory holds state already; the seed is not planted again.');
    return { seed: seedSchema.parse(JSON.parse(stored.value)), starts: countStart(store) };
  }
  const checked = seedSchema.safeParse(given ?? defaultSeed, { reportInput: true });
  if (!checked.success)
    throw new Failure('config-invalid', {
      message: `The seed is wrong: ${writtenSentences(checked.error.issues).join('; ')}`,
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
