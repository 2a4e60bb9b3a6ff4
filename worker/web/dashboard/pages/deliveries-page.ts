import { type Content, html } from '../../../../lib/core/markup.ts';
import type { ShownRun } from '../../api/describe-run.ts';
import { runsOf } from '../../api/runs.ts';
import type { LoggedDelivery } from '../../../store/delivery-log.ts';
import { aboutWords, moment, pill, placeOf, refName, table, type Tone } from '../parts.ts';
import type { Page } from './page.ts';

const mostDeliveries = 100;

/** Among so many of the newest runs those are looked for that a delivery began. */
const mostRuns = 500;

const tones: Readonly<Record<LoggedDelivery['fate'], Tone>> = {
  accepted: 'good',
  found: 'good',
  pong: 'good',
  duplicate: 'calm',
  ignored: 'calm',
  refused: 'bad',
  unavailable: 'bad',
};

/** What GitHub delivered lately, and what became of it. */
export const deliveriesPage: Page = {
  path: 'deliveries',
  about: 'all',
  async show(visit) {
    const [deliveries, runs] = await Promise.all([
      visit.engine.deliveries.list(mostDeliveries),
      runsOf(visit, null, mostRuns),
    ]);
    const byDelivery = Map.groupBy(runs, ({ delivery }) => delivery);
    const main = html`<h1>Deliveries</h1>
      ${table(
        'The newest first; kept for a week',
        deliveries,
        [
          { name: 'Time', kind: 'short', show: ({ at }) => moment(at) },
          {
            name: 'Delivery',
            show: ({ delivery, event }) =>
              html`${event} <code>${delivery === '' ? 'without an id' : delivery}</code>`,
          },
          {
            name: 'About',
            show: (delivery) => aboutWords(delivery),
          },
          {
            name: 'Answer',
            show: ({ fate, status, why }) =>
              html`${pill(tones[fate], fate)}
                <span class="hint">${status === 0 ? why : `${status}, ${why}`}</span>`,
          },
          { name: 'What came of it', show: (one) => fateOf(one) },
          {
            name: 'Runs',
            show: ({ delivery, fate }) => (fate === 'duplicate' ? null : links(byDelivery.get(delivery))),
          },
        ],
        html`Nothing was delivered in the last week. In the repository’s settings on GitHub, under Webhooks,
        the hook’s recent deliveries say why.`,
      )}`;
    return { title: 'Deliveries', main };
  },
};

function fateOf({ takenIn, fate }: LoggedDelivery): Content {
  if (takenIn !== undefined) return takenIn;
  return fate === 'accepted' ? html`<span class="hint">not taken in yet</span>` : null;
}

function links(runs: readonly ShownRun[] = []): Content {
  return runs.map(
    (run) =>
      html`<a href="${placeOf('runs', run.id)}">${run.version ?? refName(run.ref)} → ${run.to}</a><br />`,
  );
}
