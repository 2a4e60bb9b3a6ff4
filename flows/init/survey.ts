import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { isInPackages, packageFolder } from '../../lib/git/package-folder.ts';
import { type RepositorySetup, readRepositorySetup } from '../../lib/git/repository-setup.ts';
import type { Repository } from '../../lib/git/repository.ts';
import { selectFiles } from '../../lib/git/select-files.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import type { TreeEntry } from '../../lib/git/objects/tree-entry.ts';
import { openWorkCopy } from '../../lib/git/work-tree/work-copy.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { rulesFileFor } from '../../lib/pipelines/rules-file.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import { hiddenPipelines } from '../project/hidden-pipelines.ts';

export interface SurveyRequest {
  readonly repository: Repository;
  /** The project's folder in the repository; `''` for its root. */
  readonly directory: string;
  /** `millrace.yaml`, or the defaults. */
  readonly config: ProjectConfig;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** What a repository contains before `millrace init`. Paths are relative to the repository. */
export interface Survey extends RepositorySetup, Pick<SurveyRequest, 'repository' | 'directory' | 'config'> {
  /** The files on disk that git does not ignore. */
  readonly snapshot: Snapshot;
  readonly pipelines: readonly string[];
  /** Pipelines that the default globs leave out because of a dot in their path. */
  readonly hidden: readonly string[];
  readonly tests: readonly string[];
  /** Folders below the project that have a `millrace.yaml` of their own. */
  readonly otherProjects: readonly string[];
  /** The branch of pull requests, as far as git knows. */
  readonly branch: string;
  /** Workflows that use an action of Millrace already, by the name of the action. */
  readonly workflows: ReadonlyMap<string, string>;
  /** Workflows that run the tests with the action `pull-request`. */
  readonly testingWorkflows: ReadonlySet<string>;
  /** The rules file that applies to the project, if there is one. */
  readonly rulesFile: string | undefined;
  /** The text of the hook `pre-commit`, if there is one. */
  readonly hookText: string | undefined;
  /** Whether people use the program pre-commit here. */
  readonly usesPreCommit: boolean;
  /** Whether git does not ignore the packages that npm installed here. */
  readonly showsPackages: boolean;
  /** Where package.json gets Millrace from, if only this machine has that file: npm's path, relative to the project. */
  readonly packageElsewhere: string | undefined;
  /** The JSON Schema of `millrace.yaml` where the package is installed, relative to the project. */
  readonly schema: string | undefined;
  /** Whether something exists at this path: on disk, a link that leads nowhere included, or in the index if a sparse check-out leaves it out. */
  readonly exists: (location: string) => boolean;
}

const workflowFolder = '.github/workflows';
const schemaPath = 'node_modules/millrace/docs/schemas/millrace.schema.json';

/** Finds out what a repository contains. Throws Failure 'git-failed'. */
export async function surveyRepository(request: SurveyRequest): Promise<Survey> {
  const { repository, directory, config, environment, signal } = request;
  const { root } = repository;
  const place = path.join(root, directory);
  const [setup, snapshot, head] = await Promise.all([
    readRepositorySetup(place, { environment, signal }),
    openWorkCopy(place, 'working-tree', { environment, signal }),
    repository.headBranch({ signal }),
  ]);
  const all = await snapshot.list();
  const whole = withoutPackages(all);
  const under = inRepository(directory, '');
  const otherProjects = whole
    .map((entry) => entry.path)
    .filter((file) => file.startsWith(under) && file.slice(under.length).includes('/'))
    .filter((file) => path.posix.basename(file) === 'millrace.yaml')
    .map((file) => path.posix.dirname(file));
  const isOwn = (file: string) => !otherProjects.some((folder) => file.startsWith(`${folder}/`));
  const selected = selectFiles(whole, config.files, directory).map((file) => file.path);
  const existing = new Set(whole.map((entry) => entry.path));
  const rulesFile = rulesFileFor(directory, (file) => existing.has(file), config.configDir);
  return {
    ...setup,
    repository,
    directory,
    config,
    snapshot: { ...snapshot, list: async (folder) => withoutPackages(await snapshot.list(folder)) },
    pipelines: selected.filter((file) => kindOf(file) !== undefined && isOwn(file)),
    hidden: hiddenPipelines(whole, config.files, directory).map((file) => file.path),
    tests: [...existing].filter(
      (file) => file.startsWith(under) && file.endsWith('.test.yaml') && isOwn(file),
    ),
    otherProjects,
    branch: setup.defaultBranch ?? head ?? 'main',
    ...usedActions(path.join(root, workflowFolder)),
    rulesFile: existing.has(rulesFile) || existsSync(path.join(root, rulesFile)) ? rulesFile : undefined,
    hookText: setup.hooks === undefined ? undefined : textIn(path.join(setup.hooks, 'pre-commit')),
    usesPreCommit: existing.has('.pre-commit-config.yaml'),
    showsPackages: all.some((entry) => entry.path.startsWith(`${under}${packageFolder}/`)),
    packageElsewhere: packageElsewhere(place, root),
    schema: existsSync(path.join(place, schemaPath)) ? schemaPath : undefined,
    exists: (location) =>
      lstatSync(location, { throwIfNoEntry: false }) !== undefined ||
      existing.has(path.relative(root, location).split(path.sep).join('/')),
  };
}

function withoutPackages(entries: readonly TreeEntry[]): readonly TreeEntry[] {
  return entries.filter((entry) => !isInPackages(entry.path));
}

/** A dependency as `npm install <file>` writes it. */
const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});

/** The path of the package of Millrace in package.json, if it leads out of the repository. */
function packageElsewhere(place: string, root: string): string | undefined {
  const text = textIn(path.join(place, 'package.json'));
  const { devDependencies, dependencies } = manifestSchema.safeParse(jsonOf(text)).data ?? {};
  const dependency = devDependencies?.['millrace'] ?? dependencies?.['millrace'] ?? '';
  if (!dependency.startsWith('file:')) return undefined;
  const file = dependency.slice('file:'.length);
  const relative = path.relative(root, path.resolve(place, file));
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : undefined;
}

/** npm reports invalid JSON itself. */
function jsonOf(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The actions of Millrace that the workflows of a folder use, each with the first file. */
function usedActions(folder: string): Pick<Survey, 'workflows' | 'testingWorkflows'> {
  const workflows = new Map<string, string>();
  const testingWorkflows = new Set<string>();
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  for (const entry of entries) {
    if (!entry.isFile() || !/\.ya?ml$/.test(entry.name)) continue;
    const file = `${workflowFolder}/${entry.name}`;
    const text = readFileSync(path.join(folder, entry.name), 'utf8');
    for (const [, action = ''] of text.matchAll(/\buses:\s*['"]?[\w.-]+\/[\w.-]+\/actions\/([a-z-]+)@/g)) {
      if (!workflows.has(action)) workflows.set(action, file);
      if (action === 'pull-request' && /[\s{,]tests:\s*['"]?true/.test(text)) testingWorkflows.add(file);
    }
  }
  return { workflows, testingWorkflows };
}

/** The text of a file; empty if something else is at its path, and undefined if nothing is. */
function textIn(location: string): string | undefined {
  const stats = lstatSync(location, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isFile() ? readFileSync(location, 'utf8') : '';
}
