import { failureDetails } from '../../../../lib/github/access/failure-details.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import { type Channel, NotYet, type Writes } from './channel.ts';
import { hasSucceeded, liveIn, wantedOf, type WantedDeployment } from './deployment-states.ts';
import {
  createDeploymentWrites,
  isOpen,
  isShown,
  lastOf,
  mayBeActive,
  type Member,
  type DeploymentWritesContext,
} from './deployment-writes.ts';
import type { TakenEnvironment } from '../stores/environment-order.ts';
import { isOver } from './status-update.ts';

export interface DeploymentContext extends DeploymentWritesContext {
  readonly promotionOf: (id: string) => Promise<PromotionRecord | undefined>;
  readonly waitsAtGate: (promotion: PromotionRecord) => boolean;
}

/** GitHub no longer has the commit, or refuses the deployment for another reason that stays. */
const permanentErrors = new Set([410, 422]);

/**
 * Shows each promotion that may change an environment as a deployment, with a status for each state. The updates of
 * all promotions are sent in the order in which the promotions changed the environment: after an outage, GitHub
 * would otherwise get them in the order in which the reports are retried. At most one deployment of an environment
 * is active.
 */
export function deploymentChannel(context: DeploymentContext): Channel {
  const { records, order, promotionOf, waitsAtGate } = context;
  const { create, show, closeUnknown, isClosedByGitHub } = createDeploymentWrites(context);

  async function load(reported: PromotionRecord, taken: TakenEnvironment): Promise<readonly Member[]> {
    const members = await Promise.all(
      taken.places.map(async ({ promotion: id, place }) => {
        const promotion = id === reported.id ? reported : await promotionOf(id);
        if (promotion === undefined) return undefined;
        // The current name of the repository, if it was renamed.
        const task = { ...promotion.task, repository: reported.task.repository };
        const sent = await records.read(id);
        return {
          promotion: { ...promotion, task },
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
  async function sendMissing({ reported, all, taken }: Environment, writes: Writes): Promise<number> {
    const live = liveIn(all, taken.rolledBackTo);
    // At most one deployment is active; none, if the live version is not verified.
    const active = live !== undefined && hasSucceeded(live.promotion) ? live : undefined;
    const shown: Shown[] = [];
    for (const member of all) {
      const desired = wantedOf(member, live);
      if (desired === undefined || member.sent['deploymentRefused'] !== undefined) continue;
      const deployed = await orRefused(member, reported, () =>
        create(member, desired, writes.about(member.promotion)),
      );
      if (deployed !== undefined) shown.push({ member: deployed, desired });
    }
    const activeId = Number(
      shown.find(({ member }) => member.promotion.id === active?.promotion.id)?.member.sent['deploymentId'],
    );
    const send = async ({ member, desired }: Shown): Promise<void> => {
      if (desired.state === 'inactive' && isClosedByGitHub(member, activeId))
        await records.write(member.promotion.id, lastOf(desired));
      else await orRefused(member, reported, () => show(member, desired, writes.about(member.promotion)));
    };
    const sendInOrder = async (some: readonly Shown[]): Promise<void> => {
      for (const entry of some) await send(entry);
    };
    const together = (some: readonly Shown[]) => some.map((entry) => () => send(entry));
    const closed = shown.filter((entry) => !isNotClosed(entry));
    // At the same time: while writes are collected, what comes after them would never have its turn before the next promotion.
    await writes.all([
      () => sendInOrder(shown.filter(isNotClosed)),
      ...together(closed.filter(({ member }) => !mayBeActive(member))),
    ]);
    // What is active is closed last: in between, two are active rather than none.
    await writes.all(together(closed.filter(({ member }) => mayBeActive(member))));
    if (active !== undefined) await closeUnknown(active.promotion, taken, writes);
    const unfinished = all.filter(({ promotion }) => !isOver({ promotion }));
    return Math.min(
      active?.place ?? Infinity,
      ...unfinished.map(({ place }) => place),
      all.at(-1)?.place ?? 0,
    );
  }

  /** What GitHub refuses for good about one promotion does not keep the others back. */
  async function orRefused<T>({ promotion }: Member, reported: PromotionRecord, act: () => Promise<T>) {
    try {
      return await act();
    } catch (error) {
      const { status } = failureDetails(error);
      if (status === undefined || !permanentErrors.has(status)) throw error;
      await records.write(promotion.id, { deploymentRefused: String(status) });
      if (promotion.id === reported.id) throw error;
      return undefined;
    }
  }

  /** Throws NotYet if another sender had the environment in between: what this one sent may be older. */
  async function giveBack(reported: PromotionRecord, taken: TakenEnvironment, floor: number | undefined) {
    if ((await order.give(reported, taken, floor)) === 'given') return;
    for (const { promotion } of taken.places) await records.invalidateDeployment(promotion);
    throw new NotYet(300);
  }

  return {
    name: 'deployment',
    async send(update, sent, writes) {
      const { promotion } = update;
      // The promotion never had its lane.
      if (promotion.startedAt === undefined) return;
      const taken = await order.take(promotion, { until: writes.leaseUntil, all: isOpen(sent) });
      if (taken === undefined) throw new NotYet(500);
      let environment: Environment | undefined;
      let floor: number;
      try {
        environment = { reported: promotion, all: await load(promotion, taken), taken };
        floor = await sendMissing(environment, writes);
      } catch (error) {
        // Writes that must wait are usual under load: what is complete before them need not be looked at again.
        await giveBack(promotion, taken, environment && firstIncomplete(environment));
        throw error;
      }
      await giveBack(promotion, taken, floor);
    },
  };
}

/** A deployment that GitHub has, and what it should show. */
interface Shown {
  readonly member: Member;
  readonly desired: WantedDeployment;
}

/** The promotions of an environment, as they were when one of them took it. */
interface Environment {
  /** The promotion whose report is being sent. */
  readonly reported: PromotionRecord;
  readonly all: readonly Member[];
  readonly taken: TakenEnvironment;
}

/** The first place about which something was missing, or may change: nothing before it needs more. */
function firstIncomplete({ all, taken }: Environment): number {
  const live = liveIn(all, taken.rolledBackTo);
  const incomplete = all.filter((member) => {
    const desired = wantedOf(member, live);
    if (member === live || !isOver(member)) return true;
    return (
      desired !== undefined && member.sent['deploymentRefused'] === undefined && !isShown(member, desired)
    );
  });
  return Math.min(all.at(-1)?.place ?? 0, ...incomplete.map(({ place }) => place));
}

const isNotClosed = ({ desired }: { readonly desired: WantedDeployment }): boolean =>
  desired.state !== 'inactive';
