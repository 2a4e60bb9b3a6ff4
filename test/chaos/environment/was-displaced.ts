import type { PromotionRecord } from '../../../worker/records/promotion-record.ts';
import { isSharing, targetsOf } from './lane-families.ts';
import type { TrialEnvironment } from './trial-environment.ts';

/** The family of a version or of a lane. */
export const familyOf = (name: string): string => /^v?([a-z]+\d+)-/.exec(name)?.[1] ?? '';

/** How a promotion says which version took its place, by its outcome. */
const displaced: Readonly<Record<string, RegExp>> = {
  // After it was verified, or already when it was found promoted.
  'nothing-to-do': /not live(?::|, because) (\S+) is live there$/,
  // When it was promoted, or already when its push was accepted.
  superseded: /^Superseded by (\S+), which is newer(?: and live;|$)/,
};

/**
 * Whether a lane need not have verified a version, although it is the newest of its family: where families share their
 * environments, one of another family may become live while it is verified, or, built from a later commit, before it is
 * promoted. Then its promotion says so, the platform shows another live version, and nothing enters the lane after it.
 */
export async function wasDisplaced(
  env: TrialEnvironment,
  { lane, version }: { readonly lane: string; readonly version: string },
  promotions: readonly PromotionRecord[],
): Promise<boolean> {
  const family = familyOf(lane);
  if (!isSharing(family)) return false;
  const lastIn = (name: string): PromotionRecord | undefined =>
    promotions.findLast((promotion) => promotion.task.lane.name === name && promotion.version === version);
  const isDisplacedIn = async (name: string, environment: string): Promise<boolean> => {
    const { outcome, message } = lastIn(name) ?? {};
    const live = displaced[outcome ?? '']?.exec(message ?? '')?.[1];
    if (live === undefined || familyOf(live) === family) return false;
    const [newest] = await env.services.versions(environment);
    return newest !== version;
  };
  const [test, prod] = targetsOf(family);
  const inTest = await isDisplacedIn(`${family}-test`, test);
  if (lane === `${family}-test`) return inTest;
  return inTest ? lastIn(lane) === undefined : isDisplacedIn(lane, prod);
}
