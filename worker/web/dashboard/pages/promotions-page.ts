import { withBreakPoints } from '../../../../lib/html/with-break-points.ts';
import { html, type Markup } from '../../../../lib/html/markup.ts';
import type { ShownPromotion } from '../../api/operations/describe-promotion.ts';
import { promotionsOf } from '../../api/operations/promotions.ts';
import { promotionActions } from '../acts/offered-acts.ts';
import { type Column, pill, table } from '../../../../lib/html/parts.ts';
import { commitMark, longText, moment, placeOf, refName } from '../parts/parts.ts';
import { approvalSince } from '../parts/lane-now.ts';
import { promotionState, resultText } from '../parts/states.ts';
import type { Visit } from '../parts/visit.ts';
import type { Page } from './page.ts';

const maxPromotions = 100;

/** The newest promotions of all lanes. */
export const promotionsPage: Page = {
  path: '/promotions',
  about: 'own',
  async show(visit) {
    const promotions = await promotionsOf(visit, null, maxPromotions);
    return {
      title: 'Promotions',
      main: html`<h1>Promotions</h1>
        ${promotionsTable('Newest first', promotions, { visit, showsLane: true })}`,
    };
  },
};

export function promotionsTable(
  caption: string,
  promotions: readonly ShownPromotion[],
  { visit, showsLane }: { readonly visit: Visit; readonly showsLane: boolean },
): Markup {
  const lane: Column<ShownPromotion> = {
    name: 'Lane',
    show: (promotion) =>
      html`<a href="${placeOf('lanes', promotion.lane)}">${promotion.laneName}</a>
        <span class="hint">to ${promotion.to}</span>
        <div>${withBreakPoints(promotion.repository)}</div>`,
  };
  return table(
    caption,
    promotions,
    [
      {
        name: 'Promotion',
        show: (promotion) =>
          html`<a class="version" href="${placeOf('promotions', promotion.id)}"
            >${promotion.version ?? promotion.commit.slice(0, 12)}</a
          >`,
      },
      ...(showsLane ? [lane] : []),
      {
        name: 'State',
        show: (promotion) => {
          const { tone, label } = promotionState(promotion);
          return html`${pill(tone, label)} ${longText(resultText(promotion))} ${approvalSince(promotion)}`;
        },
      },
      {
        name: 'Pushed',
        show: (promotion) =>
          html`${refName(promotion.ref)} ${commitMark(promotion.commit)} ${promotion.pusher ?? ''}`,
      },
      { name: 'Created', kind: 'short', show: (promotion) => moment(promotion.createdAt) },
      { name: 'Actions', kind: 'short', show: (promotion) => promotionActions(promotion, visit) },
    ],
    html`No promotions yet. A push of a branch or tag that a lane waits for starts one.`,
  );
}
