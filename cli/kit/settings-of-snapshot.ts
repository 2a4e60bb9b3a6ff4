import path from 'node:path';
import { settingsIn } from '../../flows/review/scope/review-policy.ts';
import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { readPlainFile } from '../../lib/core/files/read-plain-file.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import { maxPipelineBytes } from '../../lib/pipelines/model/read-pipeline.ts';
import type { Session } from './session.ts';

/** Settings of a project. `notes` say where they come from if a reader could expect others: one sentence each. */
export interface SnapshotSettings {
  readonly config: ProjectConfig;
  /** The commit of the settings, if it is not what is reviewed: the one of `--base`. */
  readonly commit?: string;
  readonly notes: readonly string[];
}

/** The settings of the index or a commit; those on disk if it has none. */
export async function settingsOf(
  snapshot: Snapshot,
  {
    file,
    onDisk,
    isCurrent,
  }: {
    readonly file: string;
    readonly onDisk: () => Promise<ProjectConfig>;
    readonly isCurrent: boolean;
  },
  session: Session,
): Promise<SnapshotSettings> {
  const config = await settingsIn(snapshot, file);
  const disk = await readPlainFile(session.configFile, file).then(plainLines, () => undefined);
  const where = snapshot.kind === 'staged' ? 'what is staged' : `the commit ${shortId(snapshot.commit)}`;
  if (config === undefined) {
    const note = `${file} is not in ${where}, so the file on disk applies.`;
    return { config: await onDisk(), notes: disk === undefined ? [] : [note] };
  }
  const isOther = disk !== undefined && disk !== (await textIn(snapshot, file));
  if (!isCurrent || !isOther) return { config, notes: [] };
  const note = `${file} on disk is not the one in ${where}, which applies. To use the settings on disk, add ${configOption(session)}.`;
  return { config, notes: [note] };
}

/** The option that names the settings on disk, as a user must write it here. */
export function configOption({ here, configFile }: Session): string {
  return `--config ${JSON.stringify(path.relative(here, configFile))}`;
}

/** A text file with plain ends of lines; undefined if the snapshot does not have it. */
export async function textIn(snapshot: Snapshot, file: string): Promise<string | undefined> {
  const content = (await snapshot.readFiles([file], maxPipelineBytes)).get(file);
  return content === undefined ? undefined : plainLines(content.toString());
}

/** Git may have other line ends than the disk. */
function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** A commit in a message. */
export function shortId(commit: string): string {
  return commit.slice(0, 12);
}
