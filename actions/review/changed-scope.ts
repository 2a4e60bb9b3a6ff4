import type { ProjectConfig } from '../../config/project-schema.ts';
import { selectFiles } from '../../git/select-files.ts';
import { type ChangedFiles, findChangedFiles } from '../../github/changed-files.ts';
import type { GitHubConnection } from '../../github/connection.ts';
import type { Target } from '../../github/event-target.ts';
import { kindOf } from '../../pipelines/pipeline-kind.ts';
import { rulesFilePath } from '../../pipelines/rules-file.ts';
import { configName, inRepository, type Project } from '../project.ts';

/** Which files a review looks at, and what to say about it. */
export interface Scope {
  /** Relative to the repository. */
  readonly files: readonly string[];
  readonly notes: readonly string[];
  /** Files that decide about the review and were changed along. */
  readonly policyChanges: readonly string[];
}

/** Every pipeline of the project at a commit, relative to the repository. */
export async function allPipelines(
  { repository, directory }: Project,
  config: ProjectConfig,
  commit: string,
): Promise<string[]> {
  const tree = await repository.listTree(commit, directory === '' ? {} : { under: directory });
  return selectFiles(tree, config.files, directory)
    .map(({ path }) => path)
    .filter((path) => kindOf(path) !== undefined);
}

/** The changed pipelines of the project, or all of them where the rules changed or nothing can be compared. */
export async function changedScope(
  target: Target,
  project: Project,
  config: ProjectConfig,
  connection: GitHubConnection | undefined,
): Promise<Scope> {
  const notes: string[] = [];
  const onTrouble = (sentence: string): number => notes.push(sentence);
  const changed = await findChangedFiles(target, { connection, repository: project.repository, onTrouble });
  const all = await allPipelines(project, config, target.commit);
  if (changed === undefined) {
    notes.push('All pipelines were reviewed: there is nothing to compare with.');
    return { files: all, notes, policyChanges: [] };
  }
  const policyChanges = policyFiles(project, config).filter((file) => touches(changed, file));
  if (policyChanges.includes(inRepository(project, rulesFilePath(config.configDir)))) {
    notes.push('All pipelines were reviewed, because the rules file changed.');
    return { files: all, notes, policyChanges };
  }
  const touched = new Set(changed.paths);
  notes.push(`Reviewed: ${changed.way}.`);
  return { files: all.filter((path) => touched.has(path)), notes, policyChanges };
}

function policyFiles(project: Project, { configDir, review }: ProjectConfig): string[] {
  const baseline = review.baseline === undefined ? [] : [review.baseline];
  return [configName, rulesFilePath(configDir), ...baseline].map((file) => inRepository(project, file));
}

function touches({ paths, gone }: ChangedFiles, file: string): boolean {
  return paths.includes(file) || gone.includes(file);
}
