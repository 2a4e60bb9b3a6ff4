import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import type { Suppression } from '../../../lib/config/project/review-schema.ts';
import { decodeText, requireText } from '../../../lib/core/files/decode-text.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { compareFindings } from '../../../lib/core/outcomes/finding.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import { readYaml, type YamlSource } from '../../../lib/yaml/read-yaml.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import { applySuppressions } from './apply-suppressions.ts';
import { type CommentsByFile, commentSuppressions } from '../evaluate/comment-suppressions.ts';
import { compareWithBaseline } from './compare-baseline.ts';
import { type RawFinding, identify } from '../evaluate/raw-finding.ts';
import { countFindings } from './count-findings.ts';
import { readOldFindings } from './read-old-findings.ts';
import type { ReviewReport, ReviewRequest } from '../scope/review-request.ts';
import type { RuleCoverage } from '../evaluate/rule-coverage.ts';

interface Reviewed {
  readonly rawFindings: readonly RawFinding[];
  /** The reviewed files. */
  readonly files: Iterable<string>;
  /** Whether all files of the project were reviewed. */
  readonly complete: boolean;
  /** Which rules were evaluated on which files. */
  readonly covers: RuleCoverage;
  /** Files that the change touched; `undefined` if they are unknown. */
  readonly touched: ReadonlySet<string> | undefined;
  /** Pipelines that the change removed or renamed, with their new paths. */
  readonly removed: ReadonlyMap<string, string | undefined>;
  /** The comments of the reviewed pipelines. */
  readonly comments: CommentsByFile;
  readonly clock: Clock;
}

type Conclusion = Pick<
  ReviewReport,
  'findings' | 'counts' | 'nextBaseline' | 'uncounted' | 'base' | 'suppressed'
> & {
  /** Whether there are errors that do not count because they are known or suppressed. */
  readonly excused: boolean;
};

/**
 * Turns raw findings into the findings of a report: identified, suppressed, compared with the baseline, sorted and
 * counted.
 */
export async function conclude(
  request: ReviewRequest,
  snapshot: Snapshot,
  { rawFindings, files, complete, covers, touched, removed, comments, clock }: Reviewed,
): Promise<Conclusion> {
  const { suppress = [], directory, configFile = inRepository(directory, 'millrace.yaml') } = request;
  const old = await readOldFindings(request, snapshot);
  const config = suppress.length === 0 ? undefined : await readConfig(snapshot, configFile);
  const settingChanged = touched?.has(configFile) === true;
  // The suppressions of the base apply, but one that the change removed needs no notice.
  const presentSuppressions =
    settingChanged && request.policyCommit !== undefined ? suppressionsIn(config) : suppress;
  const indexIn = (index: number) =>
    (presentSuppressions ?? suppress).findIndex((suppression) => isSame(suppression, suppress[index]));
  const identified = identify(rawFindings);
  const inComments = { ...request, comments, covers, complete, touched, removed };
  const { kept, suppressed, notices } = applySuppressions(identified, {
    suppress,
    directory,
    configFile,
    isPresent: (index) => indexIn(index) >= 0,
    placeOf: (index) => config?.source?.rangeOf(['review', 'suppress', indexIn(index), 'rule']),
    now: clock.now(),
    complete,
    settingChanged,
    comments: await commentSuppressions(identified, snapshot, inComments),
  });
  const suppressedPrints = new Set(suppressed.map(({ fingerprint }) => fingerprint));
  const reviewedFiles = new Set([...files, configFile]);
  const existing = new Set((await snapshot.list()).map(({ path }) => path));
  const compared = compareWithBaseline(old, {
    findings: [...kept, ...identify(notices)],
    wasReviewed: (file) => complete || reviewedFiles.has(file) || !existing.has(file),
    // The findings of a deleted file are fixed.
    covers: (rule, file) => !existing.has(file) || covers(rule, file),
    suppressed: suppressedPrints,
  });
  const findings = compared.findings.toSorted(compareFindings);
  return {
    findings,
    counts: countFindings(findings),
    nextBaseline: compared.next,
    uncounted: compared.uncounted,
    ...(request.baseProblems === undefined
      ? {}
      : { base: { commit: request.baseProblems.commit, known: compared.knownOfBase } }),
    suppressed: suppressed.toSorted(compareFindings),
    excused: [...findings.filter(({ state }) => state === 'known'), ...suppressed].some(
      ({ severity }) => severity === 'error',
    ),
  };
}

interface OwnConfig {
  readonly file: string;
  /** `undefined` if the file does not exist. */
  readonly content: Buffer | undefined;
  /** `undefined` also if the file is not text. */
  readonly source: YamlSource | undefined;
}

async function readConfig(snapshot: Snapshot, file: string): Promise<OwnConfig> {
  const content = (await snapshot.readFiles([file], maxPipelineBytes)).get(file);
  const text = content === undefined ? undefined : decodeText(content).text;
  return { file, content, source: text === undefined ? undefined : readYaml(text, { file }) };
}

/** The suppressions in the file of the change; `undefined` if the file cannot be read, which is reported separately. */
function suppressionsIn(config: OwnConfig | undefined): readonly Suppression[] | undefined {
  if (config?.content === undefined) return [];
  try {
    return readProjectConfig(requireText(config.content, config.file), config.file).review.suppress;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid') throw error;
    return undefined;
  }
}

function isSame(suppression: Suppression, other: Suppression | undefined): boolean {
  return (['rule', 'file', 'component', 'until'] as const).every((key) => suppression[key] === other?.[key]);
}
