import { join as joinPath } from 'node:path';
import type { ChangedFile } from '../../lib/git/objects/changed-file.ts';
import type { Repository } from '../../lib/git/repository.ts';
import { commitSnapshot, type Snapshot } from '../../lib/git/snapshot.ts';
import type { TreeEntry } from '../../lib/git/objects/tree-entry.ts';
import { unchangedSubmoduleFiles } from '../../lib/git/work-tree/submodule-files.ts';
import { readProjectConfig } from '../../lib/config/project/read-project-config.ts';
import { type ProjectConfig, projectSchema } from '../../lib/config/project/project-schema.ts';
import { requireText } from '../../lib/core/files/decode-text.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { type Overlay, overlayProject } from '../pipeline-tests/files/overlay-project.ts';
import { sharedSourceOf, type TestProject, warehouseSettings } from '../pipeline-tests/files/test-project.ts';
import type { UntestedChange } from './data-diff.ts';

/** The project as it was at a commit. */
export interface BaseProject {
  /** As the user named it. */
  readonly name: string;
  readonly commit: string;
  /** The commit is the one where the branch left `name`. */
  readonly isFork: boolean;
  readonly project: TestProject;
  /** Whether a file of the project differs, or may differ: one of `unknown` that pipelines can use. */
  readonly isOther: boolean;
  /** The path at the commit of each renamed file, by its path on disk. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The files that differ from those on disk, by their paths on disk; a deleted one by its old path. */
  readonly changed: ReadonlyMap<string, UntestedChange['change']>;
  /** Changed submodules. Both sides have their files from disk. */
  readonly submodules: readonly string[];
  /** Files on disk of which the commit does not tell what they were, each with the reason: the end of a sentence. */
  readonly unknown: ReadonlyMap<string, string>;
}

export interface BaseRequest {
  readonly repository: Repository;
  /** The files on disk, as git sees them. */
  readonly workTree: Snapshot;
  /** The project's folder in the repository with forward slashes; `''` for its root. */
  readonly directory: string;
  /** The commit to compare with, a full id. */
  readonly commit: string;
  /** As the user named it. */
  readonly name: string;
  /** The commit is the one where the branch left `name`. */
  readonly isFork: boolean;
  /** For git. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal: AbortSignal;
}

/** Whether pipelines can use a file: other pipelines, SQL and Python. */
export function isUsedFile(path: string): boolean {
  return kindOf(path) !== undefined || /\.(?:sql|py)$/i.test(path);
}

/**
 * The reason why runs that read some files cannot be compared; undefined if the earlier content of all files that
 * pipelines use is known. The rows of a test come from disk on both sides.
 */
export function unknownFile(files: Iterable<string>, { unknown }: BaseProject): string | undefined {
  for (const file of files) {
    const reason = isUsedFile(file) ? unknown.get(file) : undefined;
    if (reason !== undefined) return `it runs with ${file}, which ${reason}`;
  }
  return undefined;
}

const configName = 'millrace.yaml';

/**
 * The project on disk, but with the commit's content of every file that differs. Symbolic links of the commit are
 * left out, as on disk. Throws Failure 'git-failed'.
 */
export async function projectAtBase(saved: TestProject, request: BaseRequest): Promise<BaseProject> {
  const { repository, workTree, directory, commit, name, isFork, environment, signal } = request;
  const prefix = directory === '' ? '' : `${directory}/`;
  const inProject = (path: string | undefined) =>
    path?.startsWith(prefix) === true ? path.slice(prefix.length) : undefined;
  const snapshot = commitSnapshot(repository, commit, signal);
  const [changes, entries, current] = await Promise.all([
    workTree.changedSince(commit),
    snapshot.list(directory),
    workTree.list(directory),
  ]);
  const before = entries.map((entry) => ({ ...entry, path: inProject(entry.path) ?? '' }));
  const asked = candidates(saved, before, changes, inProject);
  const read = await snapshot.readFiles(asked.read.map((path) => `${prefix}${path}`));
  const contents = new Map<string, Buffer | undefined>(asked.absent.map((path) => [path, undefined]));
  for (const path of asked.read) {
    const full = `${prefix}${path}`;
    contents.set(path, snapshot.links.has(full) ? undefined : read.get(full));
  }
  const other = entries.filter(({ path }) => {
    const content = contents.get(inProject(path) ?? '');
    return content !== undefined && hasOtherLineEnds(content, saved.bytes(inProject(path) ?? ''));
  });
  for (const [full, content] of await repository.checkedOut(other, { signal }))
    contents.set(inProject(full) ?? '', content);
  for (const [path, content] of contents) if (isOnDisk(path, content, saved)) contents.delete(path);
  const config = contents.get(configName);
  const settings = contents.has(configName) ? settingsOf(config, `${prefix}${configName}`) : undefined;
  const links = new Set(
    [...entries, ...current].filter(({ type }) => type === 'commit').map(({ path }) => path),
  );
  const onDisk = withoutPrefix(current, inProject);
  const submodules = await submodulesAtBase(saved, {
    before,
    current: onDisk,
    known: changes.flatMap(({ path }) => (links.has(path) ? (inProject(path) ?? []) : [])),
    environment,
    signal,
  });
  const isUnread = (path: string) => isUsedFile(path) && saved.unread.has(path);
  const changed = changedPaths(changes, (path) => contents.has(path) || isUnread(path), inProject);
  const unknown = unknownBefore(saved, [...before, ...onDisk], submodules);
  return {
    name,
    commit,
    isFork,
    project: overlayProject(saved, { contents, settings }),
    isOther:
      changed.size + contents.size + submodules.changed.length > 0 || [...unknown.keys()].some(isUsedFile),
    renamed: renamedPaths(changes, inProject),
    changed,
    submodules: submodules.changed,
    unknown,
  };
}

interface SubmodulesAtBase {
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
async function submodulesAtBase(
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
        : await unchangedSubmoduleFiles(joinPath(project.directory, folder), commit, cancel);
    if (unchanged === undefined) changed.push(folder);
    else for (const file of unchanged) files.add(`${folder}/${file}`);
  }
  return { changed, files };
}

/** Files on disk that git does not list, also in a submodule or another repository within the project, and files of changed submodules. */
function unknownBefore(
  saved: TestProject,
  entries: readonly TreeEntry[],
  submodules: SubmodulesAtBase,
): ReadonlyMap<string, string> {
  const listed = new Set(entries.map(({ path }) => path));
  // Git lists a repository that is not a submodule as a folder.
  const repositories = [...listed].flatMap((path) => (path.endsWith('/') ? path.slice(0, -1) : []));
  const folderOf = (path: string, folders: readonly string[]) =>
    folders.find((folder) => path.startsWith(`${folder}/`));
  return new Map(
    saved.paths.flatMap((path): [string, string][] => {
      if (listed.has(path) || submodules.files.has(path)) return [];
      const submodule = folderOf(path, submodules.changed);
      if (submodule !== undefined)
        return [
          [path, `is in the submodule ${submodule}, which changed, so its earlier content is not known`],
        ];
      const repository = folderOf(path, repositories);
      if (repository !== undefined)
        return [[path, `is in ${repository}, another git repository, so its earlier content is not known`]];
      return [[path, 'is ignored by git, so its earlier content is not known']];
    }),
  );
}

function withoutPrefix(entries: readonly TreeEntry[], inProject: InProject): readonly TreeEntry[] {
  return entries.flatMap((entry) => {
    const path = inProject(entry.path);
    return path === undefined ? [] : [{ ...entry, path }];
  });
}

type InProject = (path: string | undefined) => string | undefined;

/** Paths that may differ at the commit: the paths to read from it, and the paths that it does not have. */
function candidates(
  saved: TestProject,
  before: readonly TreeEntry[],
  changes: readonly ChangedFile[],
  inProject: InProject,
): { readonly read: readonly string[]; readonly absent: readonly string[] } {
  const otherBefore = before.flatMap(({ path }) =>
    path.endsWith(`/${configName}`) ? [path.slice(0, -configName.length - 1)] : [],
  );
  const isIn = (path: string, folders: readonly string[]) =>
    folders.some((folder) => path.startsWith(`${folder}/`));
  const ownPaths = new Set(
    before.filter(({ path, type }) => type === 'blob' && !isIn(path, otherBefore)).map(({ path }) => path),
  );
  const touched = changes.flatMap(({ path, oldPath }) => [inProject(path), inProject(oldPath)]);
  // A folder may have become another project, or a part of this one.
  const moved = [
    ...[...ownPaths].filter((path) => isIn(path, saved.otherProjects)),
    ...saved.paths.filter((path) => isIn(path, otherBefore)),
  ];
  const all = [...new Set([...touched, ...moved].filter((path) => path !== undefined))];
  return {
    read: all.filter((path) => ownPaths.has(path)),
    absent: all.filter((path) => !ownPaths.has(path) && saved.has(path)),
  };
}

/** Whether all lines end with LF in the commit and with CRLF on disk: git can be set to convert them at a check-out. */
function hasOtherLineEnds(content: Buffer, onDisk: Uint8Array | undefined): boolean {
  if (onDisk === undefined || content.includes('\r')) return false;
  const disk = Buffer.from(onDisk).toString('latin1');
  return disk.includes('\r\n') && !/(?<!\r)\n/.test(disk);
}

/** Whether the file on disk is as at the commit. A new file may be large, and is not read. */
function isOnDisk(path: string, content: Uint8Array | undefined, saved: TestProject): boolean {
  if (content === undefined) return !saved.has(path);
  const onDisk = saved.bytes(path);
  return onDisk !== undefined && Buffer.compare(content, onDisk) === 0;
}

function renamedPaths(changes: readonly ChangedFile[], inProject: InProject): ReadonlyMap<string, string> {
  return new Map(
    changes.flatMap(({ path, oldPath }) => {
      const [current, before] = [inProject(path), inProject(oldPath)];
      return current === undefined || before === undefined ? [] : [[current, before] as const];
    }),
  );
}

function changedPaths(
  changes: readonly ChangedFile[],
  counts: (path: string) => boolean,
  inProject: InProject,
): BaseProject['changed'] {
  return new Map(
    changes.flatMap(({ status, path }) => {
      const current = inProject(path);
      if (current === undefined || !counts(current)) return [];
      return [[current, status === 'added' || status === 'deleted' ? status : 'changed'] as const];
    }),
  );
}

/** Undefined for an invalid file: then the file on disk counts, because no change could repair the file otherwise. */
function settingsOf(content: Uint8Array | undefined, file: string): Overlay['settings'] {
  const settings = (config: ProjectConfig) => ({
    ...warehouseSettings(config.engine.warehouse),
    files: config.files,
    sharedSource: sharedSourceOf(config),
    outside: config.outside,
    callFolder: config.callFolder,
  });
  if (content === undefined) return settings(projectSchema.parse({ version: 1 }));
  try {
    return settings(readProjectConfig(requireText(content, file), file));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
