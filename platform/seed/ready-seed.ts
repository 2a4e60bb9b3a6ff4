import { Failure } from '../../model/failure.ts';
import type { Logger } from '../../model/ports.ts';
import type { Ids } from '../ids.ts';
import { sentences } from '../server/violations.ts';
import type { Store } from '../store/store.ts';
import { defaultSeed } from './default-seed.ts';
import { plantSeed } from './plant-seed.ts';
import { type ReadySeed, type Seed, seedSchema } from './seed-schema.ts';

interface Planting {
  readonly ids: Ids;
  readonly now: number;
  readonly logger: Logger;
}

/**
 * The seed that the state was made from: the stored one, or else the given one, which is planted.
 * @throws Failure `config-invalid`
 */
export function readySeed(store: Store, given: Seed | undefined, planting: Planting): ReadySeed {
  const { ids, now, logger } = planting;
  const stored = store.get<{ value: string }>(`SELECT value FROM setting WHERE key = 'seed'`);
  if (stored !== undefined) {
    if (given !== undefined) logger.warn('The directory holds state already; the seed is not planted again.');
    return seedSchema.parse(JSON.parse(stored.value));
  }
  const checked = seedSchema.safeParse(given ?? defaultSeed, { reportInput: true });
  if (!checked.success)
    throw new Failure('config-invalid', {
      message: `The seed is wrong: ${sentences(checked.error).join('; ')}`,
      where: { input: '--seed' },
    });
  plantSeed(store, checked.data, ids, now);
  return checked.data;
}
