import { deploymentText } from '../../../lib/github/deployments.ts';
import { failureDetails } from '../../../lib/github/failure-details.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { type Channel, type ChannelContext, NotYet, openMark, type Writes } from './channel.ts';
import {
  activeIn,
  type Placed,
  supersededText,
  wantedOf,
  type WantedDeployment,
} from './deployment-states.ts';
import type { EnvironmentFacts } from './environment-facts.ts';
import type { EnvironmentOrder, TakenEnvironment } from './environment-order.ts';
import type { SentUpdates } from './sent-updates.ts';
import { isOver, promotionUrl, type StatusUpdate } from './status-update.ts';

export interface DeploymentContext extends ChannelContext {
  readonly order: EnvironmentOrder;
  readonly promotionOf: (id: string) => Promise<PromotionRecord | undefined>;
  readonly environmentOf: (repositoryId: number, environment: string) => EnvironmentFacts;
  readonly waitsAtGate: (promotion: PromotionRecord) => boolean;
}

/** A promotion in the order of its environment, and what GitHub was sent about it. */
interface Member extends Placed {
  readonly sent: SentUpdates;
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
  const { github, records, url, order, promotionOf, environmentOf, waitsAtGate } = context;

  async function load(own: PromotionRecord, taken: TakenEnvironment): Promise<readonly Member[]> {
    const members = await Promise.all(
      taken.places.map(async ({ promotion: id, place }) => {
        const promotion = id === own.id ? own : await promotionOf(id);
        if (promotion === undefined) return undefined;
        // The current name of the repository, if it was renamed.
        const plan = { ...promotion.plan, repository: own.plan.repository };
        return memberOf({ ...promotion, plan }, place, await records.read(id));
      }),
    );
    return members.filter((member) => member !== undefined);
  }

  const memberOf = (promotion: PromotionRecord, place: number, sent: SentUpdates): Member => ({
    promotion,
    place,
    sent,
    isDeployed: sent['deploymentId'] !== undefined,
    waits: waitsAtGate(promotion),
  });

  /** Creates the deployment if GitHub does not have it. */
  async function create(member: Member, { write }: Writes): Promise<Member> {
    if (member.isDeployed) return member;
    const { promotion, sent, place } = member;
    const { repository, commit, lane } = promotion.plan;
    const about = { commit, environment: lane.to };
    const version = promotion.version ?? '';
    const found = isOpen(sent)
      ? await github.deployments.find(repository.fullName, { ...about, promotion: promotion.id })
      : undefined;
    if (found !== undefined)
      await records.write(promotion.id, { deploymentId: String(found), [openMark('deployment')]: '' });
    else
      await write(
        'deployment',
        () =>
          github.deployments.create(repository.fullName, {
            ...about,
            description: `${version} by ${lane.name}`,
            payload: { promotion: promotion.id, lane: lane.name, version },
            isProduction: environmentOf(repository.id, lane.to).isProduction,
          }),
        (made) => ({ deploymentId: String(made) }),
      );
    return memberOf(promotion, place, await records.read(promotion.id));
  }

  /** Sets the status if GitHub does not show it. */
  async function show({ promotion, sent }: Member, wanted: WantedDeployment, { write }: Writes) {
    const { repository, lane } = promotion.plan;
    const { state } = wanted;
    const description = deploymentText(wanted.text);
    const last = lastOf(wanted);
    if (sent['deploymentLast'] === last.deploymentLast) return;
    const id = Number(sent['deploymentId']);
    if (isOpen(sent)) {
      const shown = await github.deployments.readStatus(repository.fullName, id);
      if (shown?.state === state && shown.description === description) {
        await records.write(promotion.id, { ...last, [openMark('deployment')]: '' });
        return;
      }
    }
    const environment = environmentOf(repository.id, lane.to);
    await write(
      'deployment',
      () =>
        github.deployments.setStatus(repository.fullName, id, {
          state,
          description,
          logUrl: promotionUrl(url(), promotion.id),
          environmentUrl: state === 'success' ? environment.url : undefined,
          closesPrior: !environment.isShared,
        }),
      () => last,
    );
  }

  /** Sends what is missing about an environment, in order. Returns the first place that will need more. */
  async function sendMissing(update: StatusUpdate, taken: TakenEnvironment, writes: Writes): Promise<number> {
    const own = update.promotion;
    const all = await load(own, taken);
    const active = activeIn(all, taken.rolledBackTo);
    const shown: { readonly member: Member; readonly wanted: WantedDeployment }[] = [];
    for (const member of all) {
      const wanted = wantedOf(member, active);
      if (wanted === undefined || member.sent['deploymentRefused'] !== undefined) continue;
      const deployed = await orRefused(member, own, () => create(member, writes.about(member.promotion)));
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

  /**
   * Closes active deployments of a production environment that are older than these records: GitHub does not. Once for
   * each environment.
   */
  async function closeUnknown(promotion: PromotionRecord, taken: TakenEnvironment, { write }: Writes) {
    const { repository, lane } = promotion.plan;
    const { isProduction, isShared } = environmentOf(repository.id, lane.to);
    // Of a shared environment nobody knows which project an old deployment belongs to.
    if (!isProduction || isShared || (await order.knowsAll(promotion))) return;
    const known = new Set(taken.places.map(({ promotion: id }) => id));
    for (const { id, promotion: other } of await github.deployments.ofEnvironment(
      repository.fullName,
      lane.to,
    )) {
      if (known.has(other)) continue;
      if ((await github.deployments.readStatus(repository.fullName, id))?.state !== 'success') continue;
      const description = supersededText(promotion);
      const status = { state: 'inactive', description } as const;
      await write(
        'deployment',
        () => github.deployments.setStatus(repository.fullName, id, status),
        () => ({}),
      );
    }
    await order.noteThatAllAreKnown(promotion);
  }

  /** GitHub closed it itself when the active one, which was created later, succeeded. */
  function isClosedByGitHub({ promotion, sent }: Member, activeId: number): boolean {
    const { repository, lane } = promotion.plan;
    const { isProduction, isShared } = environmentOf(repository.id, lane.to);
    const wasActive = sent['deploymentLast']?.startsWith('success ') === true && !isOpen(sent);
    return wasActive && !isProduction && !isShared && Number(sent['deploymentId']) < activeId;
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

const lastOf = ({ state, text }: WantedDeployment) => ({
  deploymentLast: `${state} ${deploymentText(text)}`,
});

const isOpen = (sent: SentUpdates): boolean => (sent[openMark('deployment')] ?? '') !== '';

const isNotClosed = ({ wanted }: { readonly wanted: WantedDeployment }): boolean =>
  wanted.state !== 'inactive';
