import { readProjectConfig } from '../../lib/config/read-project-config.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import { Failure, type Place } from '../../lib/core/failure.ts';
import { maxPipelineBytes } from '../../lib/pipelines/read-pipeline.ts';
import { readBaseline } from './baseline.ts';
import type { RawFinding } from './raw-finding.ts';
import type { ReviewRequest } from './review-request.ts';
import type { ReviewScope } from './review-scope.ts';

/**
 * Validates the settings and the baseline of the change. A pull request is reviewed with those of its base: without
 * this check it could break them, and every review after the merge would fail.
 */
export async function policyProblems(
  { configFile, baseline, policyCommit, replacedBaseline }: ReviewRequest,
  snapshot: Snapshot,
  { touched }: Pick<ReviewScope, 'touched'>,
): Promise<RawFinding[]> {
  // Without a policy commit the baseline of the reviewed files applies, and it is read anyway.
  const ownBaseline = policyCommit === undefined || replacedBaseline !== undefined ? undefined : baseline;
  const readers = [
    [configFile, readProjectConfig],
    [ownBaseline, readBaseline],
  ] as const;
  const wanted = readers.flatMap(([file, read]) =>
    file === undefined || touched?.has(file) === false ? [] : [{ file, read }],
  );
  if (wanted.length === 0) return [];
  const texts = await snapshot.readFiles(
    wanted.map(({ file }) => file),
    maxPipelineBytes,
  );
  return wanted.flatMap(({ file, read }) => {
    const text = texts.get(file)?.toString('utf8');
    return text === undefined
      ? []
      : problemsOf(() => read(text, file)).map((place) => toRawFinding(file, place));
  });
}

type Problem = Place & { readonly message: string };

function problemsOf(read: () => unknown): readonly Problem[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid') throw error;
    const { message, where = {}, details } = error;
    return (details?.['problems'] as readonly Problem[] | undefined) ?? [{ ...where, message }];
  }
}

function toRawFinding(file: string, { line = 1, column = 1, message }: Problem): RawFinding {
  return {
    rule: 'millrace/config-invalid',
    severity: 'error',
    file,
    line,
    column,
    endLine: line,
    endColumn: column + 1,
    message: message.endsWith('.') ? message : `${message}.`,
    errorType: 'config-invalid',
    source: 'millrace',
  };
}
