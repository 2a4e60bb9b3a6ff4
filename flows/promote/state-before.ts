import type { PlatformContext } from '../context/context.ts';
import { listVariables, withOverrides } from '../variables/current-variables.ts';
import { isMissingInTarget, valueDifferences } from '../variables/value-differences.ts';
import { listArtifacts } from '../versions/find-artifact.ts';
import { liveVersion } from '../versions/live-version.ts';
import { validateVersionName } from '../versions/version-name.ts';
import { Failure } from '../../lib/core/errors/failure.ts';

/** The state of the target before a promotion, for a person to review. */
export interface StateBefore {
  readonly version: string;
  readonly from: string;
  readonly to: string;
  /** The live version of the target: executions without a version name use it (spec §4.4 rule 1). */
  readonly now?: string;
  /** Variables with an override in `from` and none in `to`: there the default applies (spec §2.9). */
  readonly missingOverrides: readonly string[];
}

type Promotion = Pick<StateBefore, 'version' | 'from' | 'to'>;

/**
 * Validates the version name and the environments of a promotion. Throws Failure 'version-invalid', and 'usage' for
 * a promotion from an environment to itself.
 */
export function validatePromotion({ version, from, to }: Promotion): void {
  validateVersionName(version);
  if (from !== to) return;
  throw new Failure('usage', {
    message: `A version cannot be promoted from "${from}" to itself.`,
    where: { input: 'to' },
    hint: 'Name another environment to promote to.',
  });
}

/** Reads the state of the target before a promotion. Throws what `validatePromotion` and the client throw. */
export async function readStateBefore(request: Promotion, context: PlatformContext): Promise<StateBefore> {
  const { version, from, to } = request;
  validatePromotion(request);
  const live = liveVersion(await listArtifacts(to, context));
  const variables = await withOverrides(await listVariables(context), context);
  const missing = valueDifferences(variables, { from, to }).filter(isMissingInTarget);
  return {
    version,
    from,
    to,
    ...(live === undefined ? {} : { now: live.versionName }),
    missingOverrides: missing.map(({ variable }) => variable),
  };
}
