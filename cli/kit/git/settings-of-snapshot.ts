import path from 'node:path';
import { settingsIn } from '../../../flows/review/scope/review-policy.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import { readPlainFile } from '../../../lib/core/files/read-plain-file.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { Session } from '../session.ts';

/** Settings of a project. `notes` say where they come from if a reader could expect others: one sentence each. */
export interface SnapshotSettings {
  readonly config: ProjectConfig;
  /** The commit of the settings, if it is not what is reviewed: the one of `--base`. */
  readonly commit?: string;
  readonly notes: readonly string[];
}

/** Reads the settings in git's index or in a commit; if they have none, the settings on disk. */
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
  const note = `The ${file} of ${where} applies; the one on disk differs. To use the settings on disk, add ${configOption(session)}.`;
  return { config, notes: [note] };
}

/** The option that names the settings on disk, as a user must write it here. */
export function configOption({ here, configFile }: Session): string {
  return `--config ${JSON.stringify(path.relative(here, configFile))}`;
}

/** Reads a text file of a snapshot, with line feeds as line ends. Undefined if the snapshot does not have the file. */
export async function textIn(snapshot: Snapshot, file: string): Promise<string | undefined> {
  const content = (await snapshot.readFiles([file], maxPipelineBytes)).get(file);
  return content === undefined ? undefined : plainLines(content.toString());
}

/** Git may have other line ends than the disk. */
function plainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The short form of a commit's id for messages. */
export function shortId(commit: string): string {
  return commit.slice(0, 12);
}
