import { deploymentText, type DeploymentState } from '../../../lib/github/deployments.ts';
import { type Channel, type ChannelContext, openMark } from './channel.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import { promotionUrl, type StatusUpdate } from './status-update.ts';

/**
 * A deployment for each promotion that may change an environment, with a status for each of its states. GitHub
 * itself makes the earlier deployments of an environment inactive once a later one succeeds.
 */
export function deploymentChannel(
  { github, records, url }: ChannelContext,
  {
    environmentUrl,
    waitsAtGate,
  }: {
    readonly environmentUrl: (repositoryId: number, environment: string) => string | undefined;
    readonly waitsAtGate: (promotion: PromotionRecord) => boolean;
  },
): Channel {
  return {
    name: 'deployment',
    async send(update, sent, { write }) {
      const { promotion } = update;
      const { repository, commit, lane } = promotion.plan;
      const { fullName } = repository;
      const known = sent['deploymentId'] !== undefined;
      const state = stateOf(update, known, waitsAtGate(promotion));
      if (state === undefined) return;
      const open = (sent[openMark('deployment')] ?? '') !== '';

      let id = Number(sent['deploymentId'] ?? 0);
      if (id === 0) {
        const about = { commit, environment: lane.to };
        const version = promotion.version ?? '';
        if (open) id = (await github.deployments.find(fullName, { ...about, promotion: promotion.id })) ?? 0;
        if (id === 0) {
          id = await write(
            'deployment',
            () =>
              github.deployments.create(fullName, {
                ...about,
                description: `${version} by ${lane.name}`,
                payload: { promotion: promotion.id, lane: lane.name, version },
              }),
            (made) => ({ deploymentId: String(made) }),
          );
        } else await records.write(promotion.id, { deploymentId: String(id), [openMark('deployment')]: '' });
      }
      const description = deploymentText(update.text);
      const wanted = `${state} ${description}`;
      if (sent['deploymentLast'] === wanted) return;
      if (open && known) {
        const shown = await github.deployments.readStatus(fullName, id);
        if (shown?.state === state && shown.description === description) {
          await records.write(promotion.id, { deploymentLast: wanted, [openMark('deployment')]: '' });
          return;
        }
      }
      await write(
        'deployment',
        () =>
          github.deployments.setStatus(fullName, id, {
            state,
            description,
            logUrl: promotionUrl(url, promotion.id),
            environmentUrl: state === 'success' ? environmentUrl(repository.id, lane.to) : undefined,
          }),
        () => ({ deploymentLast: wanted }),
      );
    },
  };
}

/** Undefined if there is nothing to report: a promotion that never started created no deployment. */
function stateOf({ promotion }: StatusUpdate, known: boolean, waits: boolean): DeploymentState | undefined {
  const { outcome, step } = promotion;
  // A promotion that ended before it knew its version, or before it started, has deployed nothing.
  const begun = known || (step.name !== 'resolve' && promotion.startedAt !== undefined);
  switch (outcome) {
    case undefined:
      if (promotion.state !== 'active') return undefined;
      return step.name === 'resolve' || waits ? 'queued' : 'in_progress';
    case 'passed':
    case 'already-done':
      return 'success';
    case 'failed':
      return begun ? 'failure' : undefined;
    case 'indeterminate':
    case 'error':
      return begun ? 'error' : undefined;
    case 'cancelled':
    case 'superseded':
    case 'nothing-to-do':
    case 'skipped-fork':
      return known ? 'inactive' : undefined;
  }
}
