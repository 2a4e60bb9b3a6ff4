import type { PlatformContext } from '../context/context.ts';
import { listSharedVersions } from '../versions/list-shared-versions.ts';

export interface KeepEnabledRequest {
  readonly prefix: string;
  /** How many versions stay enabled, at least 1: the newest ones. */
  readonly keep: number;
  /** A version that is about to be published, in a dry run: it takes a place. */
  readonly coming?: string | undefined;
  readonly dryRun: boolean;
}

/**
 * Disables all enabled versions of shared pipelines but the newest ones; the last enabled one is never disabled, as
 * without it no consumer could run (spec §4.8 rule 2). Gives the names of those that were disabled.
 */
export async function keepEnabled(
  { prefix, keep, coming, dryRun }: KeepEnabledRequest,
  { client, signal, progress }: Pick<PlatformContext, 'client' | 'signal' | 'progress'>,
): Promise<string[]> {
  const versions = await listSharedVersions(prefix, { client, signal });
  const names = versions.filter(({ enabled }) => enabled).map(({ versionName }) => versionName);
  const all = coming === undefined || names.includes(coming) ? names : [coming, ...names];
  const old = all.slice(Math.max(1, keep));
  if (dryRun) return old;
  for (const versionName of old) {
    progress.step(`Disabling the shared version ${versionName} of ${prefix}`);
    const input = { sharedPipelineIdPrefix: prefix, versionName, enabled: false };
    await client.sharedArtifacts.setEnabled(input, { signal });
  }
  return old;
}
