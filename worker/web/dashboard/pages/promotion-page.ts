import { withBreakPoints } from '../../../../lib/html/with-break-points.ts';
import { type Content, html } from '../../../../lib/html/markup.ts';
import { actorText } from '../../../records/actor-text.ts';
import {
  describePromotion,
  executionUrlOf,
  type ShownPromotion,
} from '../../api/operations/describe-promotion.ts';
import { promotionActions } from '../acts/offered-acts.ts';
import { facts, pill } from '../../../../lib/html/parts.ts';
import { commitMark, moment, placeOf, refName, sentence } from '../parts/parts.ts';
import { promotionState, resultText } from '../parts/states.ts';
import { approvalSince, progressBar } from '../parts/lane-now.ts';
import type { Page } from './page.ts';
import { longTimeline } from './timeline-table.ts';
import { scopeAddress } from '../board/lane-filter.ts';
import { planRows } from '../parts/plan-rows.ts';
import { gitHubLink, refPath } from '../parts/github-links.ts';
import { phasesOf } from '../waterfall/phases.ts';
import { readUsual } from '../waterfall/read-usual.ts';
import { executionMark, waterfallTable } from '../waterfall/waterfall-table.ts';

/** The page of one promotion: its state, and its history with intents and the platform's answers. */
export const promotionPage: Page = {
  path: '/promotions/:id',
  about: 'promotion',
  async show(visit) {
    const { id, ports } = visit;
    const record = await ports.store.promotion(id);
    if (record === undefined) return undefined;
    const promotion = describePromotion(record, await ports.store.lane(record.lane), ports);
    const [history, checkRun, usual] = await Promise.all([
      ports.store.history({ promotion: id }),
      ports.store.checkRunOf(id),
      readUsual(record, ports),
    ]);
    const phases = phasesOf(record, history);
    const { tone, label } = promotionState(promotion);
    const name = promotion.version ?? promotion.commit.slice(0, 12);
    const main = html`<h1>
        ${withBreakPoints(`${name} → ${promotion.to}`)}
        <span class="hint">${promotion.repository}</span> ${pill(tone, label)}
      </h1>
      <p class="acts">${promotionActions(promotion, visit)}</p>
      <div class="now">
        <p class="reason lines">${sentence(resultText(promotion))} ${approvalSince(promotion)}</p>
        ${progressBar(promotion)} ${openIntent(promotion)}
      </div>
      ${facts(factsOf(promotion, ports.github.webUrl))}
      ${waterfallTable({
        phases,
        ...usual,
        now: ports.clock.now(),
        executionPage: (execution, verify) => executionUrlOf(record, execution, verify, ports.config),
      })}
      ${longTimeline('Timeline', history, (execution, pipeline) => {
        const verify = record.task.lane.verify.findIndex((one) => one.pipeline === pipeline);
        return executionUrlOf(record, execution, verify, ports.config);
      })}
      <details class="ids">
        <summary>Ids</summary>
        ${facts(idsOf(promotion, { webUrl: ports.github.webUrl, checkRun }))}
      </details>`;
    return { title: `${name} → ${promotion.to}`, main };
  },
};

/** While an intent is open, it is unknown whether its effect happened. */
function openIntent({ intent }: ShownPromotion): Content {
  if (intent === null) return null;
  return html`<p class="problem">
    Recorded before the call; the result is not known yet:
    <b>${intent.effect}</b> ${withBreakPoints(intent.what)}, ${moment(intent.at)}
  </p>`;
}

interface GitHubFacts {
  readonly webUrl: string;
  /** GitHub's id of the check run. */
  readonly checkRun: string | undefined;
}

/** Names that other systems and programs know the promotion by; last on the page, because they mean nothing to a reader. */
function idsOf(
  promotion: ShownPromotion,
  { webUrl, checkRun }: GitHubFacts,
): readonly (readonly [string, Content])[] {
  const { repository } = promotion;
  return [
    ['Promotion', html`<code>${withBreakPoints(promotion.id)}</code>`],
    [
      'Execution',
      promotion.executionId && executionMark(promotion.executionId, promotion.executionUrl ?? undefined),
    ],
    [
      'Check run',
      checkRun === undefined
        ? null
        : gitHubLink({ webUrl, repository }, `runs/${encodeURIComponent(checkRun)}`, checkRun),
    ],
    ['Delivery', html`<code>${withBreakPoints(promotion.delivery)}</code>`],
  ];
}

function factsOf(promotion: ShownPromotion, webUrl: string): readonly (readonly [string, Content])[] {
  const { repository, ref, commit } = promotion;
  const link = (path: string, text: Content): Content => gitHubLink({ webUrl, repository }, path, text);
  return [
    ['Lane', html`<a href="${placeOf('lanes', promotion.lane)}">${withBreakPoints(promotion.laneName)}</a>`],
    ['Path', `${promotion.from} → ${promotion.to}`],
    ['Repository', html`<a href="${scopeAddress(repository)}">${withBreakPoints(repository)}</a>`],
    ['Ref', link(refPath(ref), withBreakPoints(refName(ref)))],
    ['Commit', link(`commit/${encodeURIComponent(commit)}`, commitMark(commit))],
    ['Pushed by', promotion.pusher],
    ['Approvals', approvals(promotion)],
    ...planRows(promotion.plan ?? undefined, { webUrl, repository }),
    [
      'Rejected',
      promotion.rejection &&
        html`<span class="wide">${promotion.rejection.reason}</span>
          <span class="hint"
            >${actorText(promotion.rejection.by, promotion.rejection.via)},
            ${moment(promotion.rejection.at)}</span
          >`,
    ],
    ['Freeze overridden', promotion.override && `${promotion.override.reason} (${promotion.override.by})`],
    [
      'Allowed without evidence',
      promotion.evidencePass && `${promotion.evidencePass.reason} (${promotion.evidencePass.by})`,
    ],
    [
      'Retry of',
      promotion.retryOf &&
        html`<a href="${placeOf('promotions', promotion.retryOf.of)}">${promotion.retryOf.of}</a> by
          ${promotion.retryOf.by}`,
    ],
    [
      'Rolled back',
      promotion.rolledBack &&
        `to ${promotion.rolledBack.live}: ${promotion.rolledBack.reason} (${actorText(promotion.rolledBack.by, promotion.rolledBack.via)})`,
    ],
    ['Requested by', promotion.request && `${promotion.request.by}: ${promotion.request.reason}`],
    ['Created', moment(promotion.createdAt)],
    ['Started', promotion.startedAt && moment(promotion.startedAt)],
    ['Ended', promotion.endedAt && moment(promotion.endedAt)],
  ];
}

function approvals({ approvals: count }: ShownPromotion): Content {
  if (count === null) return null;
  const { needed, given: approvedBy, mayApprove, comments, void: voidApprovals, withoutPlan } = count;
  return html`${approvedBy.length} of ${needed}${approvedBy.length > 0 ? `: ${approvedBy.join(', ')}` : null}
  ${mayApprove.length > 0 ? html`<span class="hint">${mayApprove.join(', ')} may approve</span>` : null}
  ${withoutPlan.length > 0 ? html`<span class="hint">${withoutPlan.join(', ')}: without a plan, so for any</span>` : null}
  ${voidApprovals.map(({ by, because }) => html`<p class="lines">The approval of ${by} is void: ${because}</p>`)}
  ${comments.map(
    ({ by, via, comment, at }) =>
      html`<p class="lines">${comment} <span class="hint">${actorText(by, via)}, ${moment(at)}</span></p>`,
  )}`;
}
