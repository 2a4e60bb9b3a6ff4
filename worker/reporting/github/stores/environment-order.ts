import type { Redis } from 'ioredis';
import type { Clock } from '../../../../lib/core/ports/ports.ts';
import { loadScript, type Script, statusIn } from '../../../../lib/redis/scripts/lua-script.ts';
import { type Keys } from '../../../store/scripts/keys.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';

/** The promotions of an environment, in the order in which they changed it. */
export interface EnvironmentOrder {
  /**
   * Takes the deployments of the promotion's environment until a time; undefined while another sender has them. `all`:
   * also those that need nothing more.
   */
  take(
    promotion: PromotionRecord,
    options: { readonly until: number; readonly all: boolean },
  ): Promise<TakenEnvironment | undefined>;
  /** Whether earlier deployments were closed that these records do not know. */
  knowsAll(promotion: PromotionRecord): Promise<boolean>;
  noteThatAllAreKnown(promotion: PromotionRecord): Promise<void>;
  /**
   * Gives the deployments back. `floor`: the first place that needs more; undefined if something could not be sent.
   * `late`: another sender had them in between, and everything must be compared with GitHub.
   */
  give(
    promotion: PromotionRecord,
    taken: TakenEnvironment,
    floor: number | undefined,
  ): Promise<'given' | 'late'>;
}

export interface TakenEnvironment {
  readonly until: number;
  readonly changes: string;
  /** What a roll-back made live, and its place in the order. */
  readonly rolledBackTo: { readonly version: string; readonly place: number } | undefined;
  /** Ascending by place. */
  readonly places: readonly { readonly promotion: string; readonly place: number }[];
}

interface TakeArguments {
  readonly now: number;
  readonly until: number;
  readonly promotion: string;
  readonly place: number | undefined;
  readonly all: boolean;
}

interface GiveArguments {
  readonly until: number;
  readonly changes: string;
  readonly floor: string | undefined;
}

const folder = import.meta.dirname;

const takeEnvironment: Script<TakeArguments, readonly string[] | undefined> = loadScript(
  folder,
  'take-environment.lua',
  (answer) => (statusIn('taken', 'busy')(answer) === 'taken' ? answer.slice(1) : undefined),
);

const giveEnvironment: Script<GiveArguments, 'given' | 'late'> = loadScript(
  folder,
  'give-environment.lua',
  statusIn('given', 'late'),
);

/** Promotions of older workers come before all others, in the order in which they began. */
const legacyPlace = ({ place, startedAt }: PromotionRecord): number | undefined =>
  place === undefined && startedAt !== undefined ? startedAt / 1e14 : undefined;

export function createEnvironmentOrder(redis: Redis, keys: Keys, clock: Clock): EnvironmentOrder {
  const keysOf = ({ task: { repository, lane } }: PromotionRecord): readonly [string, string] => {
    const order = keys.environment(repository.id, lane.project, lane.to);
    return [order, `${order}:github`];
  };
  return {
    async take(promotion, { until, all }) {
      const { id } = promotion;
      const place = legacyPlace(promotion);
      const now = clock.now();
      const answer = await takeEnvironment(redis, keysOf(promotion), {
        now,
        until,
        promotion: id,
        place,
        all,
      });
      if (answer === undefined) return undefined;
      const [changes = '0', version = '', livePlace = '0', ...pairs] = answer;
      return {
        until,
        changes,
        rolledBackTo: version === '' ? undefined : { version, place: Number(livePlace) },
        places: pairs.flatMap((value, i) =>
          i % 2 === 0 ? [{ promotion: value, place: Number(pairs[i + 1]) }] : [],
        ),
      };
    },
    async knowsAll(promotion) {
      return (await redis.hexists(keysOf(promotion)[1], 'knowsAll')) === 1;
    },
    async noteThatAllAreKnown(promotion) {
      await redis.hset(keysOf(promotion)[1], 'knowsAll', '1');
    },
    async give(promotion, { until, changes }, floor) {
      return giveEnvironment(redis, keysOf(promotion), {
        until,
        changes,
        floor: floor === undefined ? undefined : String(floor),
      });
    },
  };
}
