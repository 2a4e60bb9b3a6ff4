import path from 'node:path';
import type { TreeEntry } from '../../lib/git/objects/tree-entry.ts';
import { unchangedSubmoduleFiles } from '../../lib/git/work-tree/submodule-files.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';

export interface SubmodulesAtBase {
  /** Sorted as the entries. */
  readonly changed: readonly string[];
  /** The files of the others that are as at the commit, by their paths in the project. */
  readonly files: ReadonlySet<string>;
}

/**
 * The submodules of a project with files on disk, compared with a commit. Git says that some changed; the others are searched, because
 * git can be set to overlook changes in them.
 * @param before the files of the project at the commit; `current`: those on disk, both by their paths in the project
 */
export async function submodulesAtBase(
  project: TestProject,
  {
    before,
    current,
    known,
    ...cancel
  }: {
    readonly before: readonly TreeEntry[];
    readonly current: readonly TreeEntry[];
    /** The submodules that changed as git says. */
    readonly known: readonly string[];
    readonly environment: Readonly<Record<string, string | undefined>> | undefined;
    readonly signal: AbortSignal;
  },
): Promise<SubmodulesAtBase> {
  const commits = new Map(
    before.flatMap((entry) => (entry.type === 'commit' ? [[entry.path, entry.oid]] : [])),
  );
  const now = current.flatMap((entry) => (entry.type === 'commit' ? [entry.path] : []));
  const changed = [...known];
  const files = new Set<string>();
  for (const folder of new Set([...commits.keys(), ...now])) {
    const hasFiles = project.paths.some((file) => file.startsWith(`${folder}/`));
    if (!hasFiles || known.includes(folder)) continue;
    const commit = commits.get(folder);
    const unchanged =
      commit === undefined
        ? undefined
        : await unchangedSubmoduleFiles(path.join(project.directory, folder), commit, cancel);
    if (unchanged === undefined) changed.push(folder);
    else for (const file of unchanged) files.add(`${folder}/${file}`);
  }
  return { changed, files };
}
