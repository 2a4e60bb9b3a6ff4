import type { EvidenceRule } from '../../lib/config/project/evidence-rules-schema.ts';
import type { TreeFile } from '../../lib/evidence/manifest.ts';
import { compareWithTree } from '../../lib/evidence/manifest.ts';
import { readFacts, readProvenance } from '../../lib/evidence/predicates.ts';
import type { Statement } from '../../lib/evidence/statement.ts';
import { durationText } from '../../lib/core/text/duration-text.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';

/** Reads the files of the commit, if a rule needs them. */
export type ReadFiles = () => Promise<readonly TreeFile[] | 'truncated'>;

/**
 * The reason why an accepted statement does not meet a rule, as a clause; undefined if it does. `now`: milliseconds
 * since the epoch.
 */
export async function checkRule(
  rule: EvidenceRule,
  statement: Statement,
  { now, readFiles }: { readonly now: number; readonly readFiles: ReadFiles },
): Promise<string | undefined> {
  const { predicate, madeAt } = statement;
  if (now - Date.parse(madeAt) > rule.maxAgeMs)
    return `the statement is from ${madeAt}, and it must not be older than ${durationText(rule.maxAgeMs)}`;
  switch (rule.kind) {
    case 'provenance':
      return checkProvenance(statement, readFiles);
    case 'snapshot':
      return undefined;
    case 'review':
      return checkOutcome('the review', readFacts.review(predicate));
    case 'tests':
      return checkTests(rule, statement);
    case 'diff':
      return checkOutcome('the data diff', readFacts.diff(predicate));
    case 'approvals':
      return checkApprovals(rule, statement);
  }
}

async function checkProvenance(statement: Statement, readFiles: ReadFiles): Promise<string | undefined> {
  const provenance = readProvenance(statement.predicate, statement);
  if (typeof provenance === 'string') return `the statement is refused: ${provenance}`;
  const files = await readFiles();
  if (files === 'truncated')
    return 'the files of the commit cannot be compared, because their list is truncated';
  const difference = compareWithTree(provenance.manifest, files);
  return difference === undefined ? undefined : `its manifest ${difference}`;
}

function checkOutcome(
  what: string,
  facts: { readonly outcome: 'passed' | 'failed' } | undefined,
): string | undefined {
  if (facts === undefined) return 'the predicate of the statement cannot be read';
  return facts.outcome === 'passed' ? undefined : `${what} failed`;
}

function checkTests({ coverage, mutation }: EvidenceRule, { predicate }: Statement): string | undefined {
  const facts = readFacts.tests(predicate);
  const failed = checkOutcome('the tests', facts);
  if (failed !== undefined || facts === undefined) return failed;
  const { coverage: covers, mutation: noticed } = facts;
  return (
    checkShare('coverage', coverage, covers && [covers.covered, covers.total]) ??
    checkShare('share of noticed changes', mutation, noticed && [noticed.noticed, noticed.total])
  );
}

/** Compares without rounding: a share of 79.99 % is not 80 %. */
function checkShare(
  what: string,
  min: number | undefined,
  counted: readonly [number, number] | undefined,
): string | undefined {
  if (min === undefined) return undefined;
  if (counted === undefined) return `the statement does not contain the ${what}`;
  const [part, whole] = counted;
  if (part * 100 >= min * whole && part <= whole && whole > 0) return undefined;
  return `the ${what} is ${part} of ${whole}, and ${min} % are required`;
}

function checkApprovals({ approvals: min = 1 }: EvidenceRule, { predicate }: Statement): string | undefined {
  const facts = readFacts.approvals(predicate);
  if (facts === undefined) return 'the predicate of the statement cannot be read';
  const { author, approvals, pullRequest } = facts;
  const people = new Set(
    approvals.filter(({ login }) => login.toLowerCase() !== author.toLowerCase()).map(({ id }) => id),
  );
  if (people.size >= min) return undefined;
  return `pull request ${pullRequest} has ${numberOf(people.size, 'approval')}, and ${min} ${min === 1 ? 'is' : 'are'} required`;
}
