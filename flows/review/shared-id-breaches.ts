import type { Snapshot } from '../../lib/git/snapshot.ts';
import { compileGlob } from '../../lib/core/glob.ts';
import type { CheckBreach } from '../../lib/pipelines/checks/breach.ts';
import { maxPipelineBytes } from '../../lib/pipelines/read-pipeline.ts';
import { changedSharedIds } from '../../lib/pipelines/checks/shared-id-changed.ts';
import { wholeFile } from '../../lib/core/finding.ts';
import { readSharedPipelines, sharedPipelinesPath } from '../../lib/pipelines/shared-pipelines.ts';
import type { ReviewRequest } from './review-request.ts';
import { configFileOf, sharedPrefixIn } from './own-shared.ts';
import { inRepository } from './review-scope.ts';

/** Compares the shared pipelines with the shared pipelines of the newest release that is an ancestor of the reviewed commit. */
export async function sharedIdBreaches(
  request: ReviewRequest,
  snapshot: Snapshot,
): Promise<readonly CheckBreach[]> {
  const { repository, directory, configDir, releaseTag = 'v*' } = request;
  const configFile = configFileOf(request);
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
    const contents = await snapshot.readFiles([path, configFile], maxPipelineBytes);
    const now = readSharedPipelines(path, contents.get(path) ?? 'pipelines: []\n');
    const old = readSharedPipelines(path, released);
    const settingsBefore = await repository.readFile(commit, configFile);
    const settings = contents.get(configFile);
    const offered = old.pipelines.some(({ enabled }) => enabled);
    const renamed =
      settingsBefore === undefined || settings === undefined || !offered
        ? []
        : changedPrefix(configFile, { before: settingsBefore, now: settings, release: name });
    return [...renamed, ...changedSharedIds(old, now, name)];
  }
  return [];
}

/** The prefix is a part of what consumers call, as an id is. */
function changedPrefix(
  file: string,
  settings: { readonly before: Uint8Array; readonly now: Uint8Array; readonly release: string },
): readonly CheckBreach[] {
  const before = sharedPrefixIn(settings.before, file);
  const now = sharedPrefixIn(settings.now, file);
  if (before === undefined || before === now) return [];
  const what = now === undefined ? 'is not set now' : `is "${now}" now`;
  const message = `The prefix of the shared pipelines was "${before}" in the last release (${settings.release}), and ${what}: other projects that call them will fail.`;
  return [{ check: 'shared-id-changed', file, subject: before, message, range: wholeFile }];
}
