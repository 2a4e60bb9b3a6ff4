import { kindOf } from '../../pipelines/pipeline-kind.ts';
import { rulesFilePath } from '../../pipelines/rules-file.ts';
import { selectFiles } from '../../git/select-files.ts';
import { type ChangedFiles, findChangedFiles } from '../../github/changed-files.ts';
import type { GitHubConnection } from '../../github/connection.ts';
import type { Target } from '../../github/event-target.ts';
import type { ProjectConfig } from '../../config/project-schema.ts';
import { configName, inRepository, type Project } from '../project.ts';

/** Which files a review looks at, and what to say about it. */
export interface Scope {
  /** Relative to the repository; `undefined` stands for all pipelines of the project. */
  readonly files: readonly string[] | undefined;
  readonly notes: readonly string[];
  /** Files that decide about the review and were changed along. */
  readonly policyChanges: readonly string[];
}

/** The changed pipelines of the project, or all of them where the rules changed or nothing can be compared. */
export async function changedScope(
  target: Target,
  project: Project,
  config: ProjectConfig,
  connection: GitHubConnection | undefined,
): Promise<Scope> {
  const { repository, directory } = project;
  const notes: string[] = [];
  const onTrouble = (sentence: string): number => notes.push(sentence);
  const changed = await findChangedFiles(target, { connection, repository, onTrouble });
  if (changed === undefined) {
    return {
      files: undefined,
      notes: [...notes, 'All pipelines were reviewed: there is nothing to compare with.'],
      policyChanges: [],
    };
  }
  const policyChanges = policyFiles(project, config).filter((file) => touches(changed, file));
  const rules = inRepository(project, rulesFilePath(config.configDir));
  if (policyChanges.includes(rules)) {
    return {
      files: undefined,
      notes: [...notes, 'All pipelines were reviewed, because the rules file changed.'],
      policyChanges,
    };
  }
  const tree = await repository.listTree(target.commit, directory === '' ? {} : { under: directory });
  const touched = new Set(changed.paths);
  const files = selectFiles(tree, config.files, directory)
    .map(({ path }) => path)
    .filter((path) => touched.has(path) && kindOf(path) !== undefined);
  return { files, notes: [...notes, `Reviewed: ${changed.way}.`], policyChanges };
}

function policyFiles(project: Project, { configDir, review }: ProjectConfig): string[] {
  const baseline = review.baseline === undefined ? [] : [review.baseline];
  return [configName, rulesFilePath(configDir), ...baseline].map((file) => inRepository(project, file));
}

function touches({ paths, gone }: ChangedFiles, file: string): boolean {
  return paths.includes(file) || gone.includes(file);
}
