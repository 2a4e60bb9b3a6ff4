import type { Snapshot } from '../../lib/git/snapshot.ts';
import { compileGlob } from '../../lib/core/glob.ts';
import type { CheckBreach } from '../../lib/pipelines/checks/breach.ts';
import { maxPipelineBytes } from '../../lib/pipelines/read-pipeline.ts';
import { changedSharedIds } from '../../lib/pipelines/checks/shared-id-changed.ts';
import { readSharedPipelines, sharedPipelinesPath } from '../../lib/pipelines/shared-pipelines.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';

/** Compares the shared pipelines with those of the newest release that is an ancestor of the reviewed commit. */
export async function sharedIdBreaches(
  { repository, directory, configDir, releaseTag = 'v*' }: ReviewRequest,
  snapshot: Snapshot,
): Promise<readonly CheckBreach[]> {
  const path = inRepository(directory, sharedPipelinesPath(configDir));
  const isRelease = compileGlob(releaseTag);
  if (snapshot.commit === '') return [];
  for (const { name, commit } of await repository.tags()) {
    if (!isRelease(name)) continue;
    // A release that is not an ancestor does not bind this commit.
    const before = commit !== snapshot.commit || snapshot.kind !== 'commit';
    if (!before || !(await repository.isAncestor(commit, snapshot.commit))) continue;
    const released = await repository.readFile(commit, path);
    if (released === undefined) return [];
    const content = (await snapshot.readFiles([path], maxPipelineBytes)).get(path);
    const now = readSharedPipelines(path, content ?? 'pipelines: []\n');
    return changedSharedIds(readSharedPipelines(path, released), now, name);
  }
  return [];
}
