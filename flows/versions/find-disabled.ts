import type { PlatformContext } from '../context/context.ts';
import { findArtifact } from './find-artifact.ts';

/**
 * The environment in which a version is disabled that is to go from one to another; undefined where it is disabled in
 * neither. Somebody took it out there: nothing may bring it back unseen. Throws what the client throws.
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
