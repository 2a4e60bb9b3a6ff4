import { numberOf } from '../../../lib/core/text/number-of.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import { wholeFile } from '../../../lib/core/outcomes/finding.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import type { RawFinding } from './raw-finding.ts';
import type { ReviewRequest } from '../scope/review-request.ts';
import type { ReviewScope } from '../scope/review-scope.ts';

/** Groups hidden pipelines by the path of the folder or file whose name begins with a dot. */
export function groupByDot(
  paths: readonly string[],
  directory: string,
): ReadonlyMap<string, readonly string[]> {
  const prefix = inRepository(directory, '').length;
  return Map.groupBy(paths, (path) => {
    const segments = path.slice(prefix).split('/');
    const at = segments.findIndex((segment) => segment.startsWith('.'));
    return path.slice(0, prefix) + segments.slice(0, at + 1).join('/');
  });
}

/**
 * The findings about pipelines that the default globs or their own names leave out, and about a project without a
 * pipeline to review.
 */
export function leftOutFindings(
  { directory, configFile = inRepository(directory, 'millrace.yaml'), files }: ReviewRequest,
  { all, hidden, misnamed, touched, complete }: ReviewScope,
): RawFinding[] {
  const base = { severity: 'warning', ...wholeFile, source: 'millrace' } as const;
  const isCovered = (file: string) =>
    files === undefined ? complete || touched?.has(file) === true : files.includes(file);
  const ofNames = misnamed.flatMap(({ path, intended }): RawFinding[] => {
    if (!isCovered(path)) return [];
    const message = `This file is neither reviewed nor published as a pipeline, because the name of a pipeline must end in .orch.yaml or .tran.yaml. Rename it to "${visibleText(intended)}". If it is not a pipeline, add it to files.exclude in millrace.yaml.`;
    return [{ ...base, rule: 'millrace/left-out', file: path, subject: path, message }];
  });
  if (files !== undefined) return ofNames;
  const ofDots = [...groupByDot(hidden, directory)].flatMap(([name, group]): RawFinding[] => {
    const file = group.find(isCovered);
    if (file === undefined) return [];
    const are = numberOf(group.length, 'pipeline is', 'pipelines are');
    const message = `${are} neither reviewed nor published: "${name}" begins with a dot, and files.include does not match it. Add it to files.include or files.exclude in millrace.yaml.`;
    return [{ ...base, rule: 'millrace/left-out', file, subject: name, message }];
  });
  const rawFindings = [...ofDots, ...ofNames];
  if (rawFindings.length > 0 || all.length > 0) return rawFindings;
  const place = directory === '' ? 'the project' : `the folder "${visibleText(directory)}"`;
  const message = `Nothing was reviewed: no file of ${place} that files.include matches is a pipeline (.orch.yaml or .tran.yaml).`;
  return [{ ...base, rule: 'millrace/no-pipelines', file: configFile, subject: '', message }];
}
