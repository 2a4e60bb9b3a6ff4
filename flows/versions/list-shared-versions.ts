import { onePerVersion } from '../../lib/core/values/listed-version.ts';
import type { PlatformContext } from '../context/context.ts';
import { newestFirst } from './live-version.ts';

/** A version of shared pipelines as the list shows it (spec §2.11). */
export interface SharedVersion {
  readonly versionName: string;
  readonly enabled: boolean;
  readonly createdAt: string;
}

/** All versions of a prefix, each once, including disabled ones, newest first. Reads every page. */
export async function listSharedVersions(
  prefix: string,
  { client, signal }: Pick<PlatformContext, 'client' | 'signal'>,
): Promise<SharedVersion[]> {
  const versions: SharedVersion[] = [];
  const query = { sharedPipelineIdPrefix: prefix, includeDisabled: true, size: 100 };
  for await (const version of client.sharedArtifacts.list(query, { signal })) {
    // A deployment that ignores the filters returns other prefixes too.
    if (version.sharedPipelineIdPrefix === prefix) versions.push(version);
  }
  return newestFirst(onePerVersion(versions));
}
