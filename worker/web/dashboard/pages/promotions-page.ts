import { withBreakPoints } from '../../../../lib/html/with-break-points.ts';
import { html, type Markup } from '../../../../lib/html/markup.ts';
import type { ShownPromotion } from '../../api/operations/describe-promotion.ts';
import { findPromotions, searchedPromotions, searchWords } from '../../api/operations/search-promotions.ts';
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
    const promotions = await findPromotions(visit, null, maxPromotions);
    const isSearch = searchWords(visit.query).length > 0;
    const caption = isSearch
      ? `Newest first, of the newest ${searchedPromotions} promotions`
      : 'Newest first';
    const none = html`No promotion contains all these words, of the newest ${searchedPromotions}.
      <a href="/promotions">Show all promotions</a>`;
    return {
      title: 'Promotions',
      main: html`<h1>Promotions</h1>
        ${searchForm(visit.query.get('q') ?? '', isSearch)}
        ${promotionsTable(caption, promotions, { visit, showsLane: true, ...(isSearch ? { none } : {}) })}`,
    };
  },
};

/** The script leaves it as it is. */
function searchForm(q: string, isSearch: boolean): Markup {
  return html`<form class="search" method="get" action="/promotions" role="search" data-keep>
    <input
      type="search"
      name="q"
      value="${q}"
      maxlength="200"
      aria-label="Search promotions"
      placeholder="Search: version, commit, lane, repository, person, outcome"
    />
    <button type="submit">Search</button>
    ${isSearch ? html`<a class="act" href="/promotions">Clear</a>` : null}
  </form>`;
}

const noPromotions = html`No promotions yet. A push to a branch or tag that starts a lane creates a promotion.`;

export function promotionsTable(
  caption: string,
  promotions: readonly ShownPromotion[],
  {
    visit,
    showsLane,
    none = noPromotions,
  }: { readonly visit: Visit; readonly showsLane: boolean; readonly none?: Markup },
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
    none,
  );
}
