import type { ChangedFile } from '../../lib/git/changed-file.ts';
import type { Repository } from '../../lib/git/repository.ts';
import { commitSnapshot, type Snapshot } from '../../lib/git/snapshot.ts';
import { readProjectConfig } from '../../lib/config/read-project-config.ts';
import { projectSchema } from '../../lib/config/project-schema.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import { overlayProject } from '../test/overlay-project.ts';
import { type TestProject, warehouseSettings } from '../test/test-project.ts';
import type { UntestedChange } from './data-diff.ts';

/** The project as it was at a commit. */
export interface BaseProject {
  readonly name: string;
  readonly commit: string;
  readonly project: TestProject;
  /** By the path of a renamed file: its path at the commit. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Whether a file of the project differs. */
  readonly isOther: boolean;
  /** The pipelines that differ from those on disk, by their paths on disk; a deleted one by its old path. */
  readonly pipelines: ReadonlyMap<string, UntestedChange['change']>;
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
  readonly signal: AbortSignal;
}

const configName = 'millrace.yaml';

/**
 * The project on disk, with the files that differ from a commit as the commit has them. Symbolic links of the commit are
 * left out, as on disk. Throws Failure 'git-failed', and 'config-invalid' for a millrace.yaml of the commit that is wrong.
 */
export async function projectAtBase(saved: TestProject, request: BaseRequest): Promise<BaseProject> {
  const { repository, workTree, directory, commit, name, signal } = request;
  const prefix = directory === '' ? '' : `${directory}/`;
  const inProject = (path: string | undefined) =>
    path?.startsWith(prefix) === true ? path.slice(prefix.length) : undefined;
  const changes = await workTree.changedSince(commit);
  const contents = new Map<string, Uint8Array | undefined>();
  // A file that was added or renamed does not exist at the commit, unless another change names it too.
  for (const { status, path } of changes)
    if (status === 'added' || status === 'renamed') setIn(contents, inProject(path), undefined);
  const old = changes.flatMap((change) => oldPathOf(change) ?? []).filter((path) => path.startsWith(prefix));
  const snapshot = commitSnapshot(repository, commit, signal);
  const read = await snapshot.readFiles(old);
  for (const path of old)
    setIn(contents, inProject(path), snapshot.links.has(path) ? undefined : read.get(path));
  for (const path of foreignPaths(contents, saved)) contents.delete(path);
  const config = contents.has(configName) ? contents.get(configName) : undefined;
  const settings = contents.has(configName)
    ? warehouseSettings(warehouseOf(config, `${prefix}${configName}`))
    : undefined;
  return {
    name,
    commit,
    project: overlayProject(saved, { contents, settings }),
    isOther: contents.size > 0,
    renamed: new Map(
      changes.flatMap(({ path, oldPath }) => {
        const [current, before] = [inProject(path), inProject(oldPath)];
        return current === undefined || before === undefined ? [] : [[current, before] as const];
      }),
    ),
    pipelines: new Map(
      changes.flatMap(({ status, path }) => {
        const current = inProject(path);
        if (current === undefined || kindOf(current) === undefined || !contents.has(current)) return [];
        return [[current, changeOf(status)] as const];
      }),
    ),
  };
}

function setIn<Value>(map: Map<string, Value>, key: string | undefined, value: Value): void {
  if (key !== undefined) map.set(key, value);
}

/** The path of a changed file at the commit; undefined where it did not exist. */
function oldPathOf({ status, path, oldPath }: ChangedFile): string | undefined {
  return status === 'added' ? undefined : (oldPath ?? path);
}

function changeOf(status: ChangedFile['status']): UntestedChange['change'] {
  if (status === 'added' || status === 'deleted') return status;
  return 'changed';
}

/** Files of other projects: those in a folder with a millrace.yaml of its own, on disk or at the commit. */
function foreignPaths(
  contents: ReadonlyMap<string, Uint8Array | undefined>,
  { otherProjects }: TestProject,
): readonly string[] {
  const atCommit = [...contents].flatMap(([path, content]) =>
    content !== undefined && path.endsWith(`/${configName}`) ? [path.slice(0, -configName.length - 1)] : [],
  );
  const folders = [...otherProjects, ...atCommit];
  return [...contents.keys()].filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)));
}

function warehouseOf(content: Uint8Array | undefined, file: string): TestProject['kind'] {
  const config =
    content === undefined
      ? projectSchema.parse({ version: 1 })
      : readProjectConfig(Buffer.from(content).toString('utf8'), file);
  return config.engine.warehouse;
}
