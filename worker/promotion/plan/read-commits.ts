import { approvalFacts } from '../../../flows/evidence/approval-facts.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import { shorten } from '../../../lib/core/text/shorten.ts';
import type { ListedCommit } from '../../../lib/github/endpoints/commits.ts';
import type { PlannedCommit, PlannedCommits, PromotionPlan } from '../../records/promotion-plan.ts';
import type { Advance } from '../advance/advance.ts';
import type { GitHubReads } from '../context/ports.ts';
import { isAbout, type PlannedVersions } from './read-contents.ts';

/** How many commits a plan shows. */
const maxCommits = 20;

/** How many pull requests are read, with two requests each. */
const maxPulls = 10;

const maxSubject = 120;
const maxPeople = 10;

type ReadCommits = Pick<PromotionPlan, 'commits' | 'commitsUnknown'>;

/** What a plan says about the commits between the same versions. */
export function recordedCommits(plan: PromotionPlan | undefined, versions: PlannedVersions): ReadCommits {
  return plan?.commits !== undefined && isAbout(plan, versions) ? { commits: plan.commits } : {};
}

/**
 * Reads the commits between the live and the wanted version from GitHub, with their pull requests and who approved these. Commits do not
 * change: they are read once, with at most 24 requests. What cannot be read is said, and stops nothing.
 */
export async function readCommits(advance: Advance, versions: PlannedVersions): Promise<ReadCommits> {
  const recorded = recordedCommits(advance.promotion.plan, versions);
  if (recorded.commits !== undefined) return recorded;
  const { wanted, live } = versions;
  if (live === null || live.commit === null || wanted.commit === null) return {};
  if (live.commit === wanted.commit) return { commits: { added: 0, removed: 0, newest: [], notRead: 0 } };
  const { github } = advance.ports;
  try {
    const { fullName } = await github.repository(advance.promotion.task.repository.id);
    const between = await github.commitsBetween(fullName, live.commit, wanted.commit, maxCommits);
    if (between === undefined)
      return {
        commitsUnknown: `The commits between ${live.version} and ${wanted.version} are not known: GitHub cannot compare them.`,
      };
    return { commits: { ...between, ...(await withPulls(between.newest, fullName, github)) } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {
      commitsUnknown: `The commits between ${live.version} and ${wanted.version} are not known, because GitHub could not be read: ${error.message}`,
    };
  }
}

/** GitHub writes the number of a pull request into the subject of its merge. Anyone can write one, so GitHub is asked whether it is the merge. */
const namesPull = /^Merge pull request #\d{1,9} |\(#\d{1,9}\)$/u;

async function withPulls(
  listed: readonly ListedCommit[],
  fullName: string,
  { pulls }: Pick<GitHubReads['github'], 'pulls'>,
): Promise<Pick<PlannedCommits, 'newest' | 'notRead'>> {
  const newest: PlannedCommit[] = [];
  let read = 0;
  let notRead = 0;
  for (const { commit, subject, author } of listed) {
    const shown = { commit, subject: shorten(oneLine(subject), maxSubject), author: oneLine(author) };
    const isNamed = namesPull.test(subject);
    if (isNamed && read === maxPulls) notRead += 1;
    if (!isNamed || read === maxPulls) {
      newest.push(shown);
      continue;
    }
    read += 1;
    const [pull] = await pulls.mergedAs(fullName, commit);
    if (pull === undefined) {
      newest.push(shown);
      continue;
    }
    const { approvals } = approvalFacts(pull, await pulls.reviews(fullName, pull.number));
    const approvedBy = approvals.slice(0, maxPeople).map(({ login }) => login);
    newest.push({ ...shown, pull: pull.number, approvedBy });
  }
  return { newest, notRead };
}
