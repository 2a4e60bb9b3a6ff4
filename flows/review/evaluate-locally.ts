import { type Review, reviewFiles } from '../../pipelines/review-files.ts';
import { rulesFilePath } from '../../pipelines/rules-file.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';

export interface LocalEvaluation {
  readonly review: Review;
  readonly rulesFile: string;
}

/** The quality rules, evaluated here on the files of the commit with the rules file of the same commit. */
export async function evaluateLocally(
  { repository, directory, configDir }: ReviewRequest,
  commit: string,
  paths: readonly string[],
): Promise<LocalEvaluation> {
  const rulesFile = inRepository(directory, rulesFilePath(configDir));
  const texts = await repository.readFiles(commit, [rulesFile, ...paths]);
  const rules = texts.get(rulesFile)?.toString('utf8');
  const review = reviewFiles({
    rulesFile: rules === undefined ? undefined : { path: rulesFile, text: rules },
    pipelines: paths.map((path) => ({ path, text: texts.get(path)?.toString('utf8') ?? '' })),
  });
  return { review, rulesFile };
}
