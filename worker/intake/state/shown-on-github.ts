import { checkTitle } from '../../../lib/github/endpoints/check-content.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import { statusTexts } from '../../../lib/github/endpoints/statuses.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { Records, Telemetry } from '../../promotion/context/ports.ts';
import { reportName } from '../../records/promotion-task.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { LaneRecord } from '../../store/lanes/lane-record.ts';

/**
 * What GitHub shows about the lane's promotions that contradicts the records: a deployment of an unknown promotion,
 * or another state of the active one. Undefined if they agree, or if GitHub does not answer.
 */
export async function shownOnGitHub(
  lane: LaneRecord,
  { store, logger }: Records<LaneReads> & Pick<Telemetry, 'logger'>,
  github: GitHubPort,
): Promise<string | undefined> {
  const [active, last] = await Promise.all(
    [lane.active, lane.lastPromotion].map(async (id) => (id === undefined ? undefined : store.promotion(id))),
  );
  try {
    if (active !== undefined) {
      const shown = await stateShown(active, github);
      if (shown !== undefined) return shown;
    }
    // Records of old promotions are deleted, but not before newer ones.
    return last === undefined ? undefined : await unknownDeployment(lane, store, github);
  } catch (error) {
    logger.warn(
      'GitHub did not say what it shows about a lane; the worker compares the lane only with the platform.',
      {
        lane: lane.id,
        error: String(error),
      },
    );
    return undefined;
  }
}

async function stateShown(promotion: PromotionRecord, github: GitHubPort): Promise<string | undefined> {
  const { report, task } = promotion;
  // An update that is on its way may be shown or not.
  if (report.seq !== report.sent || promotion.outcome !== undefined) return undefined;
  const { fullName } = task.repository;
  const name = reportName(task.lane);
  if (github.kind === 'app') {
    const id = await github.checks.find(fullName, { commit: task.commit, name, externalId: promotion.id });
    const shown = id === undefined ? undefined : await github.checks.read(fullName, id);
    if (shown === undefined || (shown.conclusion === null && shown.title === checkTitle(report.text)))
      return undefined;
    return `GitHub shows “${shown.title ?? ''}” for ${name}, but the records say “${report.text}”`;
  }
  const shown = await github.readStatus(fullName, task.commit, name);
  const { description } = statusTexts({ context: name, description: report.text });
  if (shown === undefined || (shown.state === report.state && shown.description === description))
    return undefined;
  return `GitHub shows “${shown.description}” for ${name}, but the records say “${report.text}”`;
}

async function unknownDeployment(
  lane: LaneRecord,
  store: LaneReads,
  github: GitHubPort,
): Promise<string | undefined> {
  const [newest] = await github.deployments.ofEnvironment(lane.repository, lane.to);
  if (newest === undefined || (await store.promotion(newest.promotion)) !== undefined) return undefined;
  return `GitHub shows a deployment of the promotion ${newest.promotion} to ${lane.to}, which the records do not know`;
}
