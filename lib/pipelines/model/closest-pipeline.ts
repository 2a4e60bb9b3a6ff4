import path from 'node:path';
import { closestWord } from '../../core/text/closest-word.ts';
import { withoutSuffix } from './pipeline-kind.ts';

/**
 * The pipeline that a person probably means, as a call writes it: one with the same file name, otherwise one with a similar path.
 * Undefined if none is close. Paths and name may have the suffix of a pipeline.
 */
export function closestPipeline(name: string, paths: Iterable<string>): string | undefined {
  const names = Array.from(paths, withoutSuffix);
  const stem = withoutSuffix(name);
  const sameFile = names.find((candidate) => path.posix.basename(candidate) === path.posix.basename(stem));
  return sameFile ?? closestWord(stem, names);
}
