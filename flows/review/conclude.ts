import type { Snapshot } from '../../lib/git/snapshot.ts';
import { compareFindings } from '../../lib/core/finding.ts';
import type { Clock } from '../../lib/core/ports.ts';
import { mostBytes } from '../../lib/pipelines/read-pipeline.ts';
import { readYaml, type YamlSource } from '../../lib/yaml/read-yaml.ts';
import { applySuppressions } from './apply-suppressions.ts';
import { compareWithBaseline } from './compare-baseline.ts';
import { type Draft, identify } from './draft.ts';
import { countFindings } from './gate.ts';
import { readOldFindings } from './read-old-findings.ts';
import type { ReviewReport, ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';
import type { Ran } from './what-ran.ts';

interface Reviewed {
  readonly drafts: readonly Draft[];
  /** Files that were looked at. */
  readonly files: Iterable<string>;
  /** Whether all files of the project were. */
  readonly complete: boolean;
  /** Which rules looked at which files. */
  readonly ran: Ran;
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
  { drafts, files, complete, ran, touched, clock }: Reviewed,
): Promise<Conclusion> {
  const { suppress = [], directory, configFile = inRepository(directory, 'millrace.yaml') } = request;
  const old = await readOldFindings(request, snapshot);
  const config = suppress.length === 0 ? undefined : await readConfig(snapshot, configFile);
  const { kept, suppressed, notices } = applySuppressions(identify(drafts), {
    suppress,
    directory,
    configFile,
    placeOf: (index) => config?.rangeOf(['review', 'suppress', index, 'rule']),
    now: clock.now(),
    complete,
    settingChanged: touched?.has(configFile) === true,
  });
  const silenced = new Set(suppressed.map(({ fingerprint }) => fingerprint));
  const looked = new Set([...files, configFile]);
  const there = new Set((await snapshot.list()).map(({ path }) => path));
  const compared = compareWithBaseline(old.entries, {
    findings: [...kept, ...identify(notices)],
    wasReviewed: (file) => complete || looked.has(file) || !there.has(file),
    // A file that is gone took its findings along.
    ran: (rule, file) => !there.has(file) || ran(rule, file),
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

async function readConfig(snapshot: Snapshot, file: string): Promise<YamlSource | undefined> {
  const text = (await snapshot.readFiles([file], mostBytes)).get(file);
  return text === undefined ? undefined : readYaml(text.toString('utf8'), { file });
}
