import { readProjectConfig } from '../../lib/config/read-project-config.ts';
import type { Suppression } from '../../lib/config/review-schema.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import { compareFindings } from '../../lib/core/finding.ts';
import type { Clock } from '../../lib/core/ports.ts';
import { mostBytes } from '../../lib/pipelines/read-pipeline.ts';
import { readYaml, type YamlSource } from '../../lib/yaml/read-yaml.ts';
import { applySuppressions } from './apply-suppressions.ts';
import { compareWithBaseline } from './compare-baseline.ts';
import { type RawFinding, identify } from './raw-finding.ts';
import { countFindings } from './gate.ts';
import { readOldFindings } from './read-old-findings.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';
import type { RuleCoverage } from './rule-coverage.ts';

interface Reviewed {
  readonly rawFindings: readonly RawFinding[];
  /** Files that were looked at. */
  readonly files: Iterable<string>;
  /** Whether all files of the project were. */
  readonly complete: boolean;
  /** Which rules looked at which files. */
  readonly covers: RuleCoverage;
  /** Files that the change touched, where they are known. */
  readonly touched: ReadonlySet<string> | undefined;
  readonly clock: Clock;
}

type Conclusion = Pick<ReviewReport, 'findings' | 'counts' | 'nextBaseline' | 'uncounted' | 'suppressed'> & {
  /** Whether errors were found that do not count. */
  readonly excused: boolean;
};

/** Drafts to what a report says of them: identified, suppressed, compared with the baseline, sorted and counted. */
export async function conclude(
  request: ReviewRequest,
  snapshot: Snapshot,
  { rawFindings, files, complete, covers, touched, clock }: Reviewed,
): Promise<Conclusion> {
  const { suppress = [], directory, configFile = inRepository(directory, 'millrace.yaml') } = request;
  const old = await readOldFindings(request, snapshot);
  const config = suppress.length === 0 ? undefined : await readConfig(snapshot, configFile);
  const settingChanged = touched?.has(configFile) === true;
  // The suppressions of the base hold, but what the change has taken out needs no notice.
  const own = settingChanged && request.policyCommit !== undefined ? suppressionsIn(config) : suppress;
  const indexIn = (index: number) => (own ?? suppress).findIndex((one) => isSame(one, suppress[index]));
  const { kept, suppressed, notices } = applySuppressions(identify(rawFindings), {
    suppress,
    directory,
    configFile,
    isPresent: (index) => indexIn(index) >= 0,
    placeOf: (index) => config?.source?.rangeOf(['review', 'suppress', indexIn(index), 'rule']),
    now: clock.now(),
    complete,
    settingChanged,
  });
  const silenced = new Set(suppressed.map(({ fingerprint }) => fingerprint));
  const looked = new Set([...files, configFile]);
  const there = new Set((await snapshot.list()).map(({ path }) => path));
  const compared = compareWithBaseline(old.entries, {
    findings: [...kept, ...identify(notices)],
    wasReviewed: (file) => complete || looked.has(file) || !there.has(file),
    // A file that is gone took its findings along.
    covers: (rule, file) => !there.has(file) || covers(rule, file),
    renamed: old.renamed,
    silenced,
  });
  const findings = compared.findings.toSorted(compareFindings);
  return {
    findings,
    counts: countFindings(findings),
    nextBaseline: compared.next,
    uncounted: compared.uncounted,
    suppressed: suppressed.toSorted(compareFindings),
    excused: [...findings.filter(({ state }) => state === 'known'), ...suppressed].some(
      ({ severity }) => severity === 'error',
    ),
  };
}

interface OwnConfig {
  readonly file: string;
  /** Absent where the file is not there. */
  readonly text: string | undefined;
  readonly source: YamlSource | undefined;
}

async function readConfig(snapshot: Snapshot, file: string): Promise<OwnConfig> {
  const text = (await snapshot.readFiles([file], mostBytes)).get(file)?.toString('utf8');
  return { file, text, source: text === undefined ? undefined : readYaml(text, { file }) };
}

/** The suppressions in the file of the change; undefined where the file cannot be read, which is an error of its own. */
function suppressionsIn(config: OwnConfig | undefined): readonly Suppression[] | undefined {
  if (config?.text === undefined) return [];
  try {
    return readProjectConfig(config.text, config.file).review.suppress;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid') throw error;
    return undefined;
  }
}

function isSame(one: Suppression, other: Suppression | undefined): boolean {
  return (['rule', 'file', 'component', 'until'] as const).every((key) => one[key] === other?.[key]);
}
