import type { PlatformContext } from '../context/context.ts';
import { listSharedVersions } from '../versions/list-shared-versions.ts';

export interface KeepEnabledRequest {
  readonly prefix: string;
  /** Number of newest versions that stay enabled, at least 1. */
  readonly keep: number;
  /** In a dry run, the version that would be published: it counts as one of the newest. */
  readonly upcoming?: string | undefined;
  readonly dryRun: boolean;
}

/**
 * Disables all enabled versions of shared pipelines except the newest ones. Never disables the last enabled
 * version, because consumers need it (spec §4.8 rule 2). Returns the names of the disabled versions.
 */
export async function keepEnabled(
  { prefix, keep, upcoming, dryRun }: KeepEnabledRequest,
  { client, signal, progress }: Pick<PlatformContext, 'client' | 'signal' | 'progress'>,
): Promise<string[]> {
  const versions = await listSharedVersions(prefix, { client, signal });
  const names = versions.filter(({ enabled }) => enabled).map(({ versionName }) => versionName);
  const all = upcoming === undefined || names.includes(upcoming) ? names : [upcoming, ...names];
  const old = all.slice(Math.max(1, keep));
  if (dryRun) return old;
  for (const versionName of old) {
    progress.step(`Disabling the shared version ${versionName} of ${prefix}`);
    const input = { sharedPipelineIdPrefix: prefix, versionName, enabled: false };
    await client.sharedArtifacts.setEnabled(input, { signal });
  }
  return old;
}
