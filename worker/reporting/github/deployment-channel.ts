import { failureDetails } from '../../../lib/github/failure-details.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { type Channel, NotYet, type Writes } from './channel.ts';
import { hasSucceeded, liveIn, wantedOf, type WantedDeployment } from './deployment-states.ts';
import {
  createDeploymentWrites,
  isOpen,
  lastOf,
  type Member,
  type DeploymentWritesContext,
} from './deployment-writes.ts';
import type { TakenEnvironment } from './environment-order.ts';
import { isOver, type StatusUpdate } from './status-update.ts';

export interface DeploymentContext extends DeploymentWritesContext {
  readonly promotionOf: (id: string) => Promise<PromotionRecord | undefined>;
  readonly waitsAtGate: (promotion: PromotionRecord) => boolean;
}

/** GitHub no longer has the commit, or refuses the deployment for another reason that stays. */
const permanentErrors = new Set([410, 422]);

/**
 * A deployment for each promotion that may change an environment, with a status for each of its states. They are sent
 * in the order in which the promotions changed the environment, those of others too: after an outage GitHub would
 * otherwise get them in the order in which the reports happen to be retried. At most one deployment of an environment
 * is active.
 */
export function deploymentChannel(context: DeploymentContext): Channel {
  const { records, order, promotionOf, waitsAtGate } = context;
  const { create, show, closeUnknown, isClosedByGitHub } = createDeploymentWrites(context);

  async function load(own: PromotionRecord, taken: TakenEnvironment): Promise<readonly Member[]> {
    const members = await Promise.all(
      taken.places.map(async ({ promotion: id, place }) => {
        const promotion = id === own.id ? own : await promotionOf(id);
        if (promotion === undefined) return undefined;
        // The current name of the repository, if it was renamed.
        const plan = { ...promotion.plan, repository: own.plan.repository };
        const sent = await records.read(id);
        return {
          promotion: { ...promotion, plan },
          place,
          sent,
          isDeployed: sent['deploymentId'] !== undefined,
          mayBeDeployed: sent['deploymentId'] !== undefined || isOpen(sent),
          waits: waitsAtGate(promotion),
        };
      }),
    );
    return members.filter((member) => member !== undefined);
  }

  /** Sends what is missing about an environment, in order. Returns the first place that will need more. */
  async function sendMissing(update: StatusUpdate, taken: TakenEnvironment, writes: Writes): Promise<number> {
    const own = update.promotion;
    const all = await load(own, taken);
    const live = liveIn(all, taken.rolledBackTo);
    // At most one deployment is active; none, where the live version is not verified.
    const active = live !== undefined && hasSucceeded(live.promotion) ? live : undefined;
    const shown: { readonly member: Member; readonly wanted: WantedDeployment }[] = [];
    for (const member of all) {
      const wanted = wantedOf(member, live);
      if (wanted === undefined || member.sent['deploymentRefused'] !== undefined) continue;
      const deployed = await orRefused(member, own, () =>
        create(member, wanted, writes.about(member.promotion)),
      );
      if (deployed !== undefined) shown.push({ member: deployed, wanted });
    }
    // What is closed comes last: in between, two are active rather than none.
    const steps = [...shown.filter(isNotClosed), ...shown.filter((one) => !isNotClosed(one))];
    const activeId = Number(
      shown.find(({ member }) => member.promotion.id === active?.promotion.id)?.member.sent['deploymentId'],
    );
    for (const { member, wanted } of steps) {
      if (wanted.state === 'inactive' && isClosedByGitHub(member, activeId))
        await records.write(member.promotion.id, lastOf(wanted));
      else await orRefused(member, own, () => show(member, wanted, writes.about(member.promotion)));
    }
    if (active !== undefined) await closeUnknown(active.promotion, taken, writes);
    const unfinished = all.filter(({ promotion }) => !isOver({ promotion }));
    return Math.min(
      active?.place ?? Infinity,
      ...unfinished.map(({ place }) => place),
      all.at(-1)?.place ?? 0,
    );
  }

  /** What GitHub refuses for good about one promotion does not keep the others back. */
  async function orRefused<T>({ promotion }: Member, own: PromotionRecord, act: () => Promise<T>) {
    try {
      return await act();
    } catch (error) {
      const { status } = failureDetails(error);
      if (status === undefined || !permanentErrors.has(status)) throw error;
      await records.write(promotion.id, { deploymentRefused: String(status) });
      if (promotion.id === own.id) throw error;
      return undefined;
    }
  }

  /** Throws NotYet if another sender had the environment in between: what this one sent may be older. */
  async function giveBack(own: PromotionRecord, taken: TakenEnvironment, floor: number | undefined) {
    if ((await order.give(own, taken, floor)) === 'given') return;
    for (const { promotion } of taken.places) await records.invalidateDeployment(promotion);
    throw new NotYet(300);
  }

  return {
    name: 'deployment',
    async send(update, sent, writes) {
      const { promotion } = update;
      // It never had its lane.
      if (promotion.startedAt === undefined) return;
      const taken = await order.take(promotion, { until: writes.leaseUntil, all: isOpen(sent) });
      if (taken === undefined) throw new NotYet(500);
      let floor: number;
      try {
        floor = await sendMissing(update, taken, writes);
      } catch (error) {
        await giveBack(promotion, taken, undefined);
        throw error;
      }
      await giveBack(promotion, taken, floor);
    },
  };
}

const isNotClosed = ({ wanted }: { readonly wanted: WantedDeployment }): boolean =>
  wanted.state !== 'inactive';
