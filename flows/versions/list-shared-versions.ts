import { onePerVersion } from '../../lib/core/listed-version.ts';
import type { PlatformContext } from '../context/context.ts';
import { newestFirst } from './live-version.ts';

/** A version of shared pipelines as the list shows it (spec §2.11). */
export interface SharedVersion {
  readonly versionName: string;
  readonly enabled: boolean;
  readonly createdAt: string;
}

/** All versions of a prefix, each once, disabled ones too, newest first; every page is read. */
export async function listSharedVersions(
  prefix: string,
  { client, signal }: Pick<PlatformContext, 'client' | 'signal'>,
): Promise<SharedVersion[]> {
  const versions: SharedVersion[] = [];
  const query = { sharedPipelineIdPrefix: prefix, includeDisabled: true, size: 100 };
  for await (const version of client.sharedArtifacts.list(query, { signal })) {
    // A deployment that does not know the filters answers more than was asked for.
    if (version.sharedPipelineIdPrefix === prefix) versions.push(version);
  }
  return newestFirst(onePerVersion(versions));
}
