import { posix } from 'node:path';
import { Failure, type Place } from '../../core/errors/failure.ts';
import type { ProjectConfig } from './project-schema.ts';
import { type ConfigValidator, readConfig } from '../fields/read-config.ts';
import { refuseSecrets } from './refuse-secrets.ts';
import { readYaml } from '../../yaml/read-yaml.ts';
import { type ReviewConfig, type SharedReview, sharedReviewSchema } from './review-schema.ts';

/** Reads a file of the repository by its path; undefined if it does not exist, is a link or is too large. */
export type ReadRepositoryFile = (file: string) => Promise<string | undefined>;

/** A longer chain of files is a mistake. */
const maxFiles = 20;

/**
 * Adds the rules in the files that `review.extends` names; each path is relative to the file that contains it. A
 * file's own settings have precedence over what it extends. `file`: the path of `millrace.yaml`, relative to the
 * repository. Throws Failure 'config-invalid', at the line of `extends` for a missing file, a path outside of the
 * repository and a cycle, and at its own line for an invalid file.
 */
export async function extendReview(
  config: ProjectConfig,
  file: string,
  read: ReadRepositoryFile,
): Promise<ProjectConfig> {
  const { review } = config;
  const sharedReviews: SharedReview[] = [];
  const seen = [file];
  for (let next = review.extends; next !== undefined; next = sharedReviews.at(-1)?.extends) {
    const from = seen.at(-1) ?? file;
    const path = sharedReviews.length === 0 ? ['review', 'extends'] : ['extends'];
    const refuse = async (problem: string) => refusal(problem, await placeIn(from, path, read));
    const target = posix.normalize(posix.join(posix.dirname(from), next));
    if (target === '..' || target.startsWith('../'))
      throw await refuse(`"${next}" is outside of the repository.`);
    if (seen.includes(target))
      throw await refuse(`The files extend each other: ${[...seen, target].join(' -> ')}.`);
    if (seen.length > maxFiles) throw await refuse(`More than ${maxFiles} files extend each other.`);
    const text = await read(target);
    if (text === undefined)
      throw await refuse(`The file "${target}" does not exist, or it is not a plain file.`);
    seen.push(target);
    sharedReviews.push(
      readConfig(text, target, { schema: sharedReviewSchema, validateWritten: validateShared }).value,
    );
  }
  if (sharedReviews.length === 0) return config;
  return { ...config, review: { ...sharedReviews.reduce(merge, review), extendedFiles: seen.slice(1) } };
}

/** A file that was emptied would turn checks off, and nothing in it would show that. */
const validateShared: ConfigValidator<unknown> = (written, report) => {
  if (written === null || written === undefined)
    report(
      [],
      'The file is empty, so it sets no check. Restore it, remove `extends`, or write `{}` if it is to set nothing',
    );
  else refuseSecrets(written, report);
};

/** The rules of a file with the rules of the file that it extends. */
function merge(review: ReviewConfig, shared: SharedReview): ReviewConfig {
  return {
    ...review,
    checks: { ...shared.checks, ...review.checks },
    // The last override that matches a file applies.
    overrides: [...shared.overrides, ...review.overrides],
    variables: [...new Set([...shared.variables, ...review.variables])],
  };
}

async function placeIn(file: string, path: readonly string[], read: ReadRepositoryFile): Promise<Place> {
  const text = await read(file);
  const range = text === undefined ? undefined : readYaml(text, { file }).rangeOf(path);
  return { file, line: range?.line ?? 1, column: range?.column ?? 1 };
}

function refusal(message: string, where: Place): Failure {
  const { file = '', line = 1, column = 1 } = where;
  return new Failure('config-invalid', {
    message: `\`extends\`: ${message}`,
    where,
    hint: 'Correct the path after `extends`. It must be relative to the file that contains it, and lead to another file in the same repository.',
    details: { problems: [{ file, line, column, message }] },
  });
}
