import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { settingsIn } from '../../flows/review/scope/review-policy.ts';
import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { requireText } from '../../lib/core/files/decode-text.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Repository } from '../../lib/git/repository.ts';
import { commitSnapshot, type Snapshot } from '../../lib/git/snapshot.ts';
import { maxPipelineBytes } from '../../lib/pipelines/model/read-pipeline.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import type { ReviewOptions } from './review-options.ts';
import type { Session } from '../kit/session.ts';
import { settingsInIndex } from '../kit/read-settings.ts';
import {
  configOption,
  settingsOf,
  shortId,
  type SnapshotSettings,
  textIn,
} from '../kit/git/settings-of-snapshot.ts';

interface Reviewed {
  readonly repository: Repository;
  /** The project's folder in the repository. */
  readonly directory: string;
  /** The index or the work tree, if it is reviewed instead of a commit. */
  readonly snapshot: Snapshot | undefined;
  /** The commit of `--base`. */
  readonly base: string | undefined;
  /** Whether a user would expect the settings on disk. */
  readonly isCurrent: boolean;
}

/**
 * Finds the settings that apply to a review, in this order: the file of `--config`; with `--base`, the file of that
 * commit, so that a change cannot loosen its own review; the file in what is reviewed; the file on disk. Throws
 * Failure 'config-invalid', 'config-missing', 'git-failed'.
 */
export async function reviewSettings(
  session: Session,
  /** `commit`: its id, if no snapshot is reviewed. */
  options: Pick<ReviewOptions, 'config' | 'commit' | 'updateBaseline'>,
  { repository, directory, snapshot, base, isCurrent }: Reviewed,
): Promise<SnapshotSettings> {
  const onDisk = async () => extendFromDisk(await session.projectConfig(), session, repository);
  if (options.config !== undefined) return { config: await onDisk(), notes: [] };
  const file = inRepository(directory, 'millrace.yaml');
  const reviewed = snapshot ?? commitSnapshot(repository, options.commit, session.flow.signal);
  const ownSettings = async (): Promise<SnapshotSettings> =>
    reviewed.kind === 'working-tree'
      ? { config: await onDisk(), notes: [] }
      : settingsOf(reviewed, { file, onDisk, isCurrent }, session);
  // A new baseline records what the change itself is judged by.
  if (base === undefined || options.updateBaseline === true) return ownSettings();
  const ofBase = await settingsOrFailure(commitSnapshot(repository, base, session.flow.signal), file);
  if (ofBase === undefined) {
    const { config, notes } = await ownSettings();
    // Without a file on either side, the defaults apply.
    if ((await textIn(reviewed, file)) === undefined) return { config, notes };
    return {
      config,
      notes: [...notes, `The base ${shortId(base)} has no ${file}, so the settings of the change apply.`],
    };
  }
  if (ofBase instanceof Failure) {
    const { config, notes } = await ownSettings();
    const note = `The ${file} of the base ${shortId(base)} is invalid, so the settings of the change apply. ${ofBase.message}`;
    return { config, notes: [...notes, note] };
  }
  const now = await textIn(reviewed, file);
  const before = await textIn(commitSnapshot(repository, base, session.flow.signal), file);
  const note = `The ${file} of the base ${shortId(base)} applies, as on a pull request; the change has another one. To try that, add ${configOption(session)}.`;
  return { config: ofBase, commit: base, notes: now === undefined || now === before ? [] : [note] };
}

async function settingsOrFailure(
  snapshot: Snapshot,
  file: string,
): Promise<ProjectConfig | Failure | undefined> {
  try {
    return await settingsIn(snapshot, file);
  } catch (error) {
    if (error instanceof Failure && error.code === 'config-invalid') return error;
    throw error;
  }
}

/** `millrace.yaml` with the files that it extends, on disk or in git's index if a sparse check-out leaves them out. */
async function extendFromDisk(
  config: ProjectConfig,
  session: Session,
  repository: Repository,
): Promise<ProjectConfig> {
  if (config.review.extends === undefined) return config;
  const { extendReview } = await import('../../lib/config/project/extend-review.ts');
  const { diskReader } = await import('../../lib/git/work-tree/disk-reader.ts');
  const links = new Set<string>();
  const root = await realpath(repository.root);
  const read = diskReader(root, links);
  const file = path.relative(root, await realpath(session.configFile).catch(() => session.configFile));
  return extendReview(config, file.split(path.sep).join('/'), async (name) => {
    const content = await read(name, maxPipelineBytes);
    if (typeof content === 'string') return settingsInIndex(root, name, session.io);
    return links.has(name) ? undefined : requireText(content, name);
  });
}
