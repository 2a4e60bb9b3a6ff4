import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { numberOf } from '../../../../lib/core/text/number-of.ts';
import type { ShownLane } from '../../api/operations/describe-lane.ts';
import type { ShownPromotion } from '../../api/operations/describe-promotion.ts';
import { pauseLine } from './pause-line.ts';
import { actorText } from '../../../records/actor-text.ts';
import { lasting, moment, placeOf, sentence } from './parts.ts';

/** What a lane does now: its holds, its active promotion with the progress, and how many promotions wait. */
export function laneNow(lane: ShownLane): Content {
  const { holds, pauses, active, waiting, last, verified, disagreements } = lane;
  const failed = holds.length === 0 && active === null && last !== null && last.id !== verified?.promotion;
  return [
    pauses.map((pause) => html`<p class="reason">${pauseLine(pause)}</p> `),
    holds.map(
      ({ reason, by, via, since }) =>
        html`<p class="reason">
          ${reason} <span class="hint">${actorText(by, via)}, ${moment(since)}</span>
        </p> `,
    ),
    indeterminateLines(lane),
    active === null ? null : activePromotion(active, active.id !== last?.id),
    failed && last.outcome !== 'passed' && last.message !== null
      ? html`<p class="reason">${last.message}</p>`
      : null,
    disagreements.map((disagreement) => html`<p class="reason">${disagreement}</p> `),
    waiting.length === 0 ? null : html`<p class="hint">${waitingText(lane)}</p>`,
  ];
}

/** Lines for the promotions whose outcome is unknown until a person resolves them. */
export function indeterminateLines({ indeterminate }: Pick<ShownLane, 'indeterminate'>): Content {
  return indeterminate.map(({ id, version, commit }) => {
    const link = html`<a href="${placeOf('promotions', id)}">${version ?? commit.slice(0, 12)}</a>`;
    return html`<p class="reason">
      ${link} is indeterminate: check the platform, then resolve it as an admin.
    </p> `;
  });
}

/** The text about the number of promotions that wait in the queue; '' for none. */
export function waitingText({ waiting }: Pick<ShownLane, 'waiting'>): string {
  if (waiting.length === 0) return '';
  return numberOf(waiting.length, 'promotion waits', 'promotions wait');
}

/** `named`: the wanted promotion is another than the active one. */
function activePromotion(promotion: ShownPromotion, named: boolean): Content {
  return html`${progressBar(promotion)}
    <p class="reason">
      ${
        named
          ? html`<a href="${placeOf('promotions', promotion.id)}"
                >${promotion.version ?? promotion.commit.slice(0, 12)}</a
              >: `
          : null
      }${sentence(promotion.status)}
      ${approvalSince(promotion)}
    </p>`;
}

/** The text since when a promotion waits for an approval; empty if it does not. */
export function approvalSince({ approvalWait }: Pick<ShownPromotion, 'approvalWait'>): Content {
  if (approvalWait === null) return null;
  return html`<span class="${approvalWait.isOverdue ? 'overdue' : 'hint'}"
    >${lasting(approvalWait.since)}${approvalWait.isOverdue ? ', overdue' : null}</span
  >`;
}

/** The progress of a promotion. The script moves the bar forward by the usual duration of the step. */
export function progressBar({ progress }: Pick<ShownPromotion, 'progress'>): Content {
  if (progress === null) return null;
  return html`<span class="progress">
    ${progressLine(progress)}
    <span class="hint">step ${progress.done + 1} of ${progress.of}, ${progress.doing}</span>
  </span>`;
}

/** The bar without its text. */
export function progressLine({ done, of, since, usualMs }: NonNullable<ShownPromotion['progress']>): Markup {
  return html`<progress
    max="${of}"
    value="${done}"
    aria-label="Progress of the promotion"
    ${usualMs === null ? null : html`data-since="${since}" data-usual="${usualMs}"`}
  >
    ${done} of ${of}
  </progress>`;
}
