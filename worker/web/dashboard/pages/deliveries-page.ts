import { type Content, html } from '../../../../lib/html/markup.ts';
import type { ShownPromotion } from '../../api/operations/describe-promotion.ts';
import { promotionsOf } from '../../api/operations/promotions.ts';
import type { NoPromotion } from '../../../records/ingest-result.ts';
import type { LoggedDelivery } from '../../../store/deliveries/delivery-log.ts';
import { pill, table, type Tone } from '../../../../lib/html/parts.ts';
import { subjectMark, moment, placeOf, refName } from '../parts/parts.ts';
import type { Page } from './page.ts';

const maxDeliveries = 100;

/** Newest promotions that are searched for the promotions of a delivery. */
const maxPromotions = 500;

const tones: Readonly<Record<LoggedDelivery['result'], Tone>> = {
  accepted: 'good',
  found: 'good',
  pong: 'good',
  duplicate: 'calm',
  ignored: 'calm',
  refused: 'bad',
  unavailable: 'bad',
};

/** Reasons for no promotion that an operator should check. */
const reasonTones: Partial<Record<NoPromotion, Tone>> = {
  'ref-not-shown': 'bad',
  refused: 'bad',
  'given-up': 'bad',
};

/** Recent deliveries of GitHub and their results. */
export const deliveriesPage: Page = {
  path: '/deliveries',
  about: 'all',
  async show(visit) {
    const [deliveries, promotions] = await Promise.all([
      visit.ports.deliveries.list(maxDeliveries),
      promotionsOf(visit, null, maxPromotions),
    ]);
    const byDelivery = Map.groupBy(promotions, ({ delivery }) => delivery);
    const main = html`<h1>Deliveries</h1>
      ${deliveries.some(({ status }) => status === 401) ? aboutSignatures : null}
      ${table(
        'Newest first; kept for a week',
        deliveries,
        [
          { name: 'Time', kind: 'short', show: ({ at }) => moment(at) },
          {
            name: 'Delivery',
            show: ({ delivery, event }) =>
              html`${event} <code>${delivery === '' ? 'without id' : delivery}</code>`,
          },
          {
            name: 'About',
            show: (delivery) => subjectMark(delivery),
          },
          {
            name: 'Answer',
            show: ({ result, status, reason }) =>
              html`${pill(tones[result], result)}
                <span class="hint">${status === 0 ? reason : `${status}, ${reason}`}</span>`,
          },
          { name: 'Result', show: (delivery) => ingestResultOf(delivery) },
          {
            name: 'Promotions',
            show: ({ delivery, result }) => (result === 'duplicate' ? null : links(byDelivery.get(delivery))),
          },
        ],
        html`No deliveries in the last week. See the recent deliveries of the webhook in the repository’s
        settings on GitHub, under Webhooks.`,
      )}`;
    return { title: 'Deliveries', main };
  },
};

/** Explains status 401: a wrong secret is the most frequent mistake of a set-up, but anyone can send a request. */
const aboutSignatures = html`<p class="means">
  Status 401: the signature does not fit the secret of the worker. If GitHub lists the same id under the
  recent deliveries of your webhook, the webhook has no secret, or another one than the worker: give both the
  same. Otherwise the request is not from GitHub.
</p>`;

function ingestResultOf({ ingestResult, noPromotion, result }: LoggedDelivery): Content {
  if (noPromotion !== undefined)
    return html`${pill(reasonTones[noPromotion] ?? 'calm', noPromotion)}
      <span class="hint">${ingestResult}</span>`;
  if (ingestResult !== undefined) return ingestResult;
  return result === 'accepted' ? html`<span class="hint">not processed yet</span>` : null;
}

function links(promotions: readonly ShownPromotion[] = []): Content {
  return promotions.map(
    (promotion) =>
      html`<a href="${placeOf('promotions', promotion.id)}"
          >${promotion.version ?? refName(promotion.ref)} → ${promotion.to}</a
        ><br />`,
  );
}
