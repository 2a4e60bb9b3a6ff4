import { type ProjectConfig, projectSchema } from '../../../lib/config/project/project-schema.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import { requireText } from '../../../lib/core/files/decode-text.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import { isInPackages } from '../../../lib/git/package-folder.ts';
import type { Repository } from '../../../lib/git/repository.ts';
import { commitSnapshot, type Snapshot } from '../../../lib/git/snapshot.ts';
import { overlayProject } from './overlay-project.ts';
import { projectRoots } from './project-roots.ts';
import { projectTexts } from './project-texts.ts';
import { filesBeside, projectOptions, type TestProject, warehouseSettings } from './test-project.ts';

/** The project at a commit, read from git. Nothing is read from disk. */
export interface ProjectOfCommit {
  readonly project: TestProject;
  /** `millrace.yaml` of the commit. */
  readonly config: ProjectConfig;
  /** What is not known of the files of the project: one sentence each. */
  readonly unread: readonly string[];
}

export interface ProjectOfCommitRequest {
  readonly repository: Repository;
  /** A full id. */
  readonly commit: string;
  /** The files, if not of the commit: for example, what is staged. */
  readonly snapshot?: Snapshot | undefined;
  /** The project's folder in the repository with forward slashes; `''` for its root. */
  readonly directory: string;
  /** The settings if `millrace.yaml` of the commit is invalid. Default: then the project cannot be opened. */
  readonly fallback?: ProjectConfig | undefined;
  readonly signal: AbortSignal;
}

const configName = 'millrace.yaml';

/** Files that say what pipelines do: they themselves, scripts, tests and their rows, schemas. */
function isOfProject(path: string): boolean {
  return /\.(?:ya?ml|sql|py|sh|ipynb|csv|tsv|json|jsonl|ndjson|parquet)$/iu.test(path);
}

/** Another file may be a script under another name, but a large one is something else, such as a picture. */
const maxOtherBytes = 1024 * 1024;

/**
 * Opens the project at a commit from git's objects. Symbolic links are left out, as on disk. Throws Failure
 * 'git-failed', also if a partial clone lacks a file, and 'config-invalid'.
 */
export async function projectOfCommit({
  repository,
  commit,
  directory,
  fallback,
  signal,
  snapshot = commitSnapshot(repository, commit, signal),
}: ProjectOfCommitRequest): Promise<ProjectOfCommit> {
  const prefix = inRepository(directory, '');
  const entries = (await snapshot.list(directory)).map((entry) => ({
    ...entry,
    path: entry.path.slice(prefix.length),
  }));
  const nested = entries.flatMap(({ path }) =>
    path.endsWith(`/${configName}`) ? [path.slice(0, -configName.length)] : [],
  );
  const own = entries.filter(
    ({ path }) => !isInPackages(path) && !nested.some((folder) => path.startsWith(folder)),
  );
  const paths = own.flatMap(({ path, type }) => (type === 'blob' ? [path] : []));
  const contents = new Map<string, Buffer>();
  const read = async (some: readonly string[], maxBytes?: number) => {
    const found = await snapshot.readFiles(
      some.map((path) => `${prefix}${path}`),
      maxBytes,
    );
    for (const [path, content] of found)
      if (!snapshot.links.has(path)) contents.set(path.slice(prefix.length), content);
  };
  await read(paths.filter(isOfProject));
  const unread = [...snapshot.unread];
  await read(
    paths.filter((path) => !isOfProject(path)),
    maxOtherBytes,
  );
  const config = configOf(contents.get(configName), `${prefix}${configName}`, fallback);
  const { files, sharedSource, outside, callFolder } = projectOptions(config);
  const settings = { ...warehouseSettings(config.engine.warehouse), files, sharedSource, callFolder };
  return {
    project: overlayProject(emptyProject, {
      contents,
      settings: { ...settings, outside: outside ?? emptyProject.outside },
    }),
    config,
    unread: [
      ...unread.map(([path, reason]) => `${path} was not read: ${reason}.`),
      ...own
        .filter(({ type }) => type === 'commit')
        .map(({ path }) => `The files of the submodule ${prefix}${path} are not known.`),
    ],
  };
}

function configOf(
  content: Buffer | undefined,
  file: string,
  fallback: ProjectConfig | undefined,
): ProjectConfig {
  if (content === undefined) return projectSchema.parse({ version: 1 });
  try {
    return readProjectConfig(requireText(content, file), file);
  } catch (error) {
    if (fallback === undefined) throw error;
    return fallback;
  }
}

const nothing = { has: () => false, size: () => undefined, bytes: () => undefined };
const noTexts = projectTexts({ read: nothing.bytes, size: nothing.size });

/** What a project of a commit lays its files over. */
const emptyProject: TestProject = {
  directory: '',
  ...warehouseSettings('WAREHOUSE_ONE'),
  paths: [],
  folders: [],
  otherProjects: [],
  unread: new Map(),
  ...nothing,
  ...noTexts,
  pipelines: [],
  isHidden: () => false,
  mentions: () => false,
  beside: filesBeside({ ...nothing, ...noTexts }),
  outside: { schemas: [], streaming: [], provision: undefined },
  sharedSource: undefined,
  shared: undefined,
  roots: projectRoots({ pipelines: [], text: noTexts.text }, undefined),
};
