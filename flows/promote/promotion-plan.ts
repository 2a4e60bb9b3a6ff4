import type { PlatformContext } from '../context/context.ts';
import { listArtifacts } from '../versions/find-artifact.ts';
import { liveVersion } from '../versions/live-version.ts';

/** What a promotion would change, for a person to look at before it happens. */
export interface PromotionPlan {
  readonly version: string;
  readonly from: string;
  readonly to: string;
  /** What executions without a version name use in the target now (spec §4.4 rule 1). */
  readonly now?: string;
  /** Variables that have a value of their own in `from` and none in `to`: their default holds there (spec §2.9). */
  readonly missingOverrides: readonly string[];
}

/** Looks at the target of a promotion. Changes nothing. Throws what the client throws. */
export async function planPromotion(
  { version, from, to }: { readonly version: string; readonly from: string; readonly to: string },
  context: PlatformContext,
): Promise<PromotionPlan> {
  const { client, projectId, signal } = context;
  const live = liveVersion(await listArtifacts(to, context));
  const missingOverrides: string[] = [];
  for await (const { name } of client.variables.list({ projectId, size: 100 }, { signal })) {
    const { overrides } = await client.overrides.list({ projectId, variableName: name }, { signal });
    const has = (environment: string) =>
      overrides.some(({ environmentName }) => environmentName === environment);
    if (has(from) && !has(to)) missingOverrides.push(name);
  }
  return {
    version,
    from,
    to,
    ...(live === undefined ? {} : { now: live.versionName }),
    missingOverrides,
  };
}
