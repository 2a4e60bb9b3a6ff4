import { deploymentText } from '../../../../lib/github/endpoints/deployments.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import { type ChannelContext, openMark, type Writes } from './channel.ts';
import { type Placed, supersededText, type WantedDeployment } from './deployment-states.ts';
import type { EnvironmentFacts } from '../stores/environment-facts.ts';
import type { EnvironmentOrder, TakenEnvironment } from '../stores/environment-order.ts';
import type { SentUpdates } from '../stores/sent-updates.ts';
import { promotionUrl } from './status-update.ts';

export interface DeploymentWritesContext extends ChannelContext {
  readonly order: EnvironmentOrder;
  readonly environmentOf: (repositoryId: number, environment: string) => EnvironmentFacts;
}

/** A promotion with its place in the environment's order, and the updates that GitHub was sent about it. */
export interface Member extends Placed {
  readonly sent: SentUpdates;
}

/** Sends the writes about one deployment. */
export interface DeploymentWrites {
  /** Creates the deployment if GitHub does not have it; undefined if it was only to be closed. */
  create(member: Member, desired: WantedDeployment, writes: Writes): Promise<Member | undefined>;
  /** Sets the status if GitHub does not show it. */
  show(member: Member, desired: WantedDeployment, writes: Writes): Promise<void>;
  /**
   * Closes active deployments of a production environment that are older than these records, because GitHub does not
   * close them. Done once for each environment.
   */
  closeUnknown(promotion: PromotionRecord, taken: TakenEnvironment, writes: Writes): Promise<void>;
  /** Whether GitHub itself closed the deployment when the active one, which was created later, succeeded. */
  isClosedByGitHub(member: Member, activeId: number): boolean;
}

export function createDeploymentWrites(context: DeploymentWritesContext): DeploymentWrites {
  const { github, records, url, order, environmentOf } = context;

  async function create(
    member: Member,
    { state }: WantedDeployment,
    { write }: Writes,
  ): Promise<Member | undefined> {
    if (member.isDeployed) return member;
    const { promotion, sent } = member;
    const { repository, commit, lane } = promotion.task;
    const about = { commit, environment: lane.to };
    const version = promotion.version ?? '';
    const deploymentId = isOpen(sent)
      ? await github.deployments.find(repository.fullName, { ...about, promotion: promotion.id })
      : undefined;
    if (deploymentId !== undefined)
      await records.write(promotion.id, { deploymentId: String(deploymentId), [openMark('deployment')]: '' });
    else if (state === 'inactive') {
      await records.write(promotion.id, { [openMark('deployment')]: '' });
      return undefined;
    } else
      await write({
        channel: 'deployment',
        async alone() {
          const { id, node = '' } = await github.deployments.create(repository.fullName, {
            ...about,
            description: `${version} by ${lane.name}`,
            payload: { promotion: promotion.id, lane: lane.name, version },
            isProduction: environmentOf(repository.id, lane.to).isProduction,
          });
          return { deploymentId: String(id), deploymentNode: node };
        },
        together: undefined,
      });
    return { ...member, sent: await records.read(promotion.id), isDeployed: true };
  }

  async function show({ promotion, sent }: Member, desired: WantedDeployment, { write }: Writes) {
    const { repository, lane } = promotion.task;
    const { state } = desired;
    const description = deploymentText(desired.text);
    const last = lastOf(desired);
    if (isShown({ sent }, desired)) return;
    const id = Number(sent['deploymentId']);
    if (isOpen(sent)) {
      const shown = await github.deployments.readStatus(repository.fullName, id);
      // What is closed stays as it is: GitHub closes without a description.
      if (shown?.state === state && (state === 'inactive' || shown.description === description)) {
        await records.write(promotion.id, { ...last, [openMark('deployment')]: '' });
        return;
      }
    }
    const environment = environmentOf(repository.id, lane.to);
    const status = {
      state,
      description,
      logUrl: promotionUrl(url(), promotion.id),
      environmentUrl: state === 'success' ? environment.url : undefined,
      closesPrior: !environment.isShared,
    };
    const node = sent['deploymentNode'] ?? '';
    await write({
      channel: 'deployment',
      async alone() {
        await github.deployments.setStatus(repository.fullName, id, status);
        return last;
      },
      together:
        node === ''
          ? undefined
          : {
              write: { repository: repository.id, kind: 'deployment-status', node, status },
              stored: () => last,
            },
    });
  }

  async function closeUnknown(promotion: PromotionRecord, taken: TakenEnvironment, { write }: Writes) {
    const { repository, lane } = promotion.task;
    const { isProduction, isShared } = environmentOf(repository.id, lane.to);
    // In a shared environment it is unknown which project an old deployment belongs to.
    if (!isProduction || isShared || (await order.knowsAll(promotion))) return;
    const knownPromotions = new Set(taken.places.map(({ promotion: id }) => id));
    for (const { id, promotion: other } of await github.deployments.ofEnvironment(
      repository.fullName,
      lane.to,
    )) {
      if (knownPromotions.has(other)) continue;
      if ((await github.deployments.readStatus(repository.fullName, id))?.state !== 'success') continue;
      const description = supersededText(promotion);
      const status = { state: 'inactive', description } as const;
      await write({
        channel: 'deployment',
        async alone() {
          await github.deployments.setStatus(repository.fullName, id, status);
          return {};
        },
        together: undefined,
      });
    }
    await order.noteThatAllAreKnown(promotion);
  }

  function isClosedByGitHub({ promotion, sent }: Member, activeId: number): boolean {
    const { repository, lane } = promotion.task;
    const { isProduction, isShared } = environmentOf(repository.id, lane.to);
    const wasActive = shows(sent, 'success') && !isOpen(sent);
    return wasActive && !isProduction && !isShared && Number(sent['deploymentId']) < activeId;
  }

  return { create, show, closeUnknown, isClosedByGitHub };
}

/** The data to store when a deployment shows a state. */
export const lastOf = ({ state, text }: WantedDeployment) => ({
  deploymentLast: `${state} ${deploymentText(text)}`,
});

/** Whether GitHub already shows the wanted state. A closed deployment stays as it is. */
export function isShown({ sent }: Pick<Member, 'sent'>, desired: WantedDeployment): boolean {
  if (sent['deploymentLast'] === lastOf(desired).deploymentLast) return true;
  return desired.state === 'inactive' && !isOpen(sent) && shows(sent, 'inactive');
}

const shows = (sent: SentUpdates, state: WantedDeployment['state']): boolean =>
  sent['deploymentLast']?.startsWith(`${state} `) === true;

/** Whether GitHub may show the deployment as active. */
export const mayBeActive = ({ sent }: Pick<Member, 'sent'>): boolean =>
  isOpen(sent) || shows(sent, 'success');

/** Whether the result of the last write is unknown. */
export const isOpen = (sent: SentUpdates): boolean => (sent[openMark('deployment')] ?? '') !== '';
