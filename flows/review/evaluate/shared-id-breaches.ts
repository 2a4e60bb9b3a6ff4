import { posix } from 'node:path';
import type { Repository } from '../../../lib/git/repository.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { compileGlob } from '../../../lib/core/files/glob.ts';
import type { CheckBreach } from '../../../lib/pipelines/checks/breach.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import { changedSharedIds } from '../../../lib/pipelines/checks/shared-id-changed.ts';
import { wholeFile } from '../../../lib/core/outcomes/finding.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import {
  readSharedPipelines,
  sharedPipelinesPath,
  type SharedPipelinesFile,
} from '../../../lib/pipelines/model/shared-pipelines.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import type { ReviewRequest } from '../scope/review-request.ts';
import { configFileOf, sharedPrefixIn } from '../scope/own-shared.ts';

/**
 * Compares the ids of shared pipelines with those in the newest release that is an ancestor of the reviewed commit.
 * Without a release tag, a notice says that this was not possible.
 */
export async function sharedIdBreaches(
  request: ReviewRequest,
  snapshot: Snapshot,
): Promise<readonly CheckBreach[]> {
  const { repository, directory, configDir, releaseTag = 'v*' } = request;
  const configFile = configFileOf(request);
  const path = inRepository(directory, sharedPipelinesPath(configDir));
  const isRelease = compileGlob(releaseTag);
  if (snapshot.commit === '') return [];
  const contents = await snapshot.readFiles([path, configFile], maxPipelineBytes);
  const shared = contents.get(path);
  const now = readSharedPipelines(path, shared ?? 'pipelines: []\n');
  const releases = (await repository.tags()).filter(({ name }) => isRelease(name));
  if (releases.length === 0) return shared === undefined ? [] : [noRelease(path, releaseTag)];
  for (const { name, commit } of releases) {
    // A release that is not an ancestor does not bind this commit.
    const before = commit !== snapshot.commit || snapshot.kind !== 'commit';
    if (!before || !(await repository.isAncestor(commit, snapshot.commit))) continue;
    const paths = { path, configFile };
    const released =
      (await releasedAt(paths, commit, repository)) ??
      (await movedFrom(now, commit, { repository, snapshot }));
    if (released === undefined) return [];
    const { old, settings: settingsBefore } = released;
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

/** A clone without tags looks like a project without a release. */
function noRelease(file: string, releaseTag: string): CheckBreach {
  const message = `This clone has no tag that matches "${releaseTag}" (release.tag), so it is not known whether an id changed since the last release. If there is one, fetch the tags with the history: \`git fetch --tags\`, in a shallow clone with \`--unshallow\`; on GitHub, set \`fetch-depth: 0\` in actions/checkout.`;
  return {
    check: 'shared-id-changed',
    file,
    subject: 'no-release',
    message,
    range: wholeFile,
    isNotice: true,
  };
}

/** What a release shared, and its `millrace.yaml`. */
interface Released {
  readonly old: SharedPipelinesFile;
  readonly settings: Buffer | undefined;
}

async function releasedAt(
  { path, configFile }: { readonly path: string; readonly configFile: string },
  commit: string,
  repository: Repository,
): Promise<Released | undefined> {
  const content = await repository.readFile(commit, path);
  if (content === undefined) return undefined;
  return { old: readSharedPipelines(path, content), settings: await repository.readFile(commit, configFile) };
}

/**
 * What a release shared before the project's folder or its `config-dir` moved. Looks at the shared-pipelines files of the
 * release that no longer exist at their paths, and takes the file that has most ids and pipelines in common with `now`.
 */
async function movedFrom(
  now: SharedPipelinesFile,
  commit: string,
  { repository, snapshot }: { readonly repository: Repository; readonly snapshot: Snapshot },
): Promise<Released | undefined> {
  const current = new Set((await snapshot.list()).map(({ path }) => path));
  const before = new Set((await repository.listTree(commit)).map(({ path }) => path));
  const gone = [...before].filter(
    (path) => posix.basename(path) === 'shared-pipelines.yaml' && !current.has(path),
  );
  const currentMarks = new Set(now.pipelines.flatMap(marksOf));
  let best: Released | undefined;
  let most = 0;
  for (const [path, content] of await repository.readFiles(commit, gone)) {
    const old = readSharedPipelines(path, content);
    const common = old.pipelines.flatMap(marksOf).filter((mark) => currentMarks.has(mark)).length;
    if (common <= most) continue;
    most = common;
    const configFile = above(path).find((file) => before.has(file));
    best = {
      old,
      settings: configFile === undefined ? undefined : await repository.readFile(commit, configFile),
    };
  }
  return best;
}

function marksOf({ id, pipeline }: SharedPipelinesFile['pipelines'][number]): readonly string[] {
  return [`id ${id}`, `pipeline ${withoutSuffix(pipeline)}`];
}

/** `millrace.yaml` in the folders of a file, the nearest first. */
function above(path: string): readonly string[] {
  const folder = posix.dirname(path);
  return folder === '.' ? ['millrace.yaml'] : [`${folder}/millrace.yaml`, ...above(folder)];
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
