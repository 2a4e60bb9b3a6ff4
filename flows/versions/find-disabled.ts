import type { PlatformContext } from '../context/context.ts';
import { findArtifact, listArtifacts } from './find-artifact.ts';

/**
 * The environment in which a version is disabled that is to go from one to another; undefined where it is disabled in
 * neither. Somebody took it out there: nothing may bring it back unseen. Throws what the client throws.
 */
export async function findDisabled(
  { version, from, to }: { readonly version: string; readonly from: string; readonly to: string },
  context: PlatformContext,
): Promise<string | undefined> {
  // Each as a promotion reads it: what counts there where a list shows a version twice counts here.
  const [source, inTarget] = await Promise.all([
    findArtifact(from, version, context),
    listArtifacts(to, context),
  ]);
  if (inTarget.find(({ versionName }) => versionName === version)?.enabled === false) return to;
  return source?.enabled === false ? from : undefined;
}
