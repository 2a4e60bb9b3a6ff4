import path from 'node:path';
import { closestWord } from '../../core/text/closest-word.ts';
import { withoutSuffix } from './pipeline-kind.ts';

/**
 * The pipeline that a person probably meant, as a call writes it: one with the same file name, else one with a
 * similar path. Undefined if none is close. Paths and name may have a pipeline's suffix.
 */
export function closestPipeline(name: string, paths: Iterable<string>): string | undefined {
  const names = Array.from(paths, withoutSuffix);
  const stem = withoutSuffix(name);
  const sameFile = names.find((candidate) => path.posix.basename(candidate) === path.posix.basename(stem));
  return sameFile ?? closestWord(stem, names);
}
