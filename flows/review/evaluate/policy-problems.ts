import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { requireText } from '../../../lib/core/files/decode-text.ts';
import { Failure, type Place } from '../../../lib/core/errors/failure.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import { sharedPipelinesPath } from '../../../lib/pipelines/model/shared-pipelines.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import { readBaseline } from '../../findings/baseline.ts';
import type { RawFinding } from './raw-finding.ts';
import type { ReviewRequest } from '../scope/review-request.ts';
import { extendFromSnapshot } from '../scope/review-policy.ts';
import type { ReviewScope } from '../scope/review-scope.ts';

/**
 * Validates the settings and the baseline in the change, and checks that the shared-pipelines file is text. A pull
 * request is reviewed with the settings of its base; without this check, it could break its own settings, and every
 * review after the merge would fail.
 */
export async function policyProblems(
  request: ReviewRequest,
  snapshot: Snapshot,
  { touched }: Pick<ReviewScope, 'touched'>,
): Promise<RawFinding[]> {
  const { directory, configDir, configFile, extendedFiles = [] } = request;
  const { baseline, policyCommit, replacedBaseline } = request;
  // Without a policy commit the baseline of the reviewed files applies, and it is read anyway.
  const ownBaseline = policyCommit === undefined || replacedBaseline !== undefined ? undefined : baseline;
  const readConfig = (text: string, file: string) =>
    extendFromSnapshot(readProjectConfig(text, file), file, snapshot);
  const readShared = (text: string) => text;
  const readers = [
    { file: configFile, read: readConfig, parts: extendedFiles },
    { file: ownBaseline, read: readBaseline, parts: [] },
    { file: inRepository(directory, sharedPipelinesPath(configDir)), read: readShared, parts: [] },
  ];
  const isTouched = (file: string) => touched?.has(file) !== false;
  const touchedReaders = readers.flatMap(({ file, read, parts }) =>
    file === undefined || ![file, ...parts].some(isTouched) ? [] : [{ file, read }],
  );
  if (touchedReaders.length === 0) return [];
  const texts = await snapshot.readFiles(
    touchedReaders.map(({ file }) => file),
    maxPipelineBytes,
  );
  const findings: RawFinding[] = [];
  for (const { file, read } of touchedReaders) {
    const content = texts.get(file);
    if (content === undefined) continue;
    const problems = await problemsOf(() => read(requireText(content, file), file));
    findings.push(...problems.map((place) => toRawFinding(place.file ?? file, place)));
  }
  return findings;
}

type Problem = Place & { readonly message: string };

async function problemsOf(read: () => unknown): Promise<readonly Problem[]> {
  try {
    await read();
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
