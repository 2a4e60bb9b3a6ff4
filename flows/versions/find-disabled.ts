import type { PlatformContext } from '../context/context.ts';
import { findArtifact } from './find-artifact.ts';

/**
 * The environment (source or target of a promotion) in which the version is disabled, or `undefined`. A person
 * disabled it on purpose, so a promotion must not enable it again silently. Throws what the client throws.
 */
export async function findDisabled(
  { version, from, to }: { readonly version: string; readonly from: string; readonly to: string },
  context: PlatformContext,
): Promise<string | undefined> {
  const [source, target] = await Promise.all([
    findArtifact(from, version, context),
    findArtifact(to, version, context),
  ]);
  if (target?.enabled === false) return to;
  return source?.enabled === false ? from : undefined;
}
