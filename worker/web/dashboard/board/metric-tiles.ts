import type { DeliveryMetrics } from '../../../../flows/metrics/delivery-metrics.ts';
import { metricTexts } from '../../../../flows/metrics/metric-texts.ts';
import { html, type Content, type Markup } from '../../../../lib/html/markup.ts';
import { lastLanes, metricsOfLanes, spanOf, usualDays } from '../../metrics/describe-metrics.ts';
import { knownPast } from '../../metrics/past-promotions.ts';
import type { ShownLane } from '../../api/operations/describe-lane.ts';
import type { Visit } from '../parts/visit.ts';

/** The delivery metrics of the lanes to one environment, or of all lanes to the environments at the end of a path. */
export async function boardMetrics(
  lanes: readonly ShownLane[],
  environment: string,
  { ports }: Pick<Visit, 'ports'>,
): Promise<Content> {
  const measured = environment === '' ? lastLanes(lanes) : lanes;
  if (measured.length === 0) return null;
  const past = await knownPast(ports, measured);
  const where = environment === '' ? lastNames(measured) : environment;
  if (past === undefined) return html`<p class="hint">The delivery metrics are being read.</p>`;
  return metricTiles(metricsOfLanes(measured, past, spanOf(ports.clock.now(), usualDays)), where);
}

/** The last environments by their names, if there are few. */
function lastNames(lanes: readonly ShownLane[]): string {
  const names = [...new Set(lanes.map(({ to }) => to))];
  return names.length <= 2 ? names.join(' and ') : 'the last environments';
}

/** Tiles with the metrics for which there is data; empty if there is none. */
export function metricTiles(metrics: DeliveryMetrics, where: string): Content {
  const { deployments, leadTimes, changes, failures, restored } = metrics;
  const texts = metricTexts(metrics);
  const tile = (value: string, name: string, basis: string): Markup =>
    html`<div>
      <dt>${name}</dt>
      <dd><b>${value}</b> <span class="hint">${basis}</span></dd>
    </div>`;
  const tiles = [
    deployments > 0 &&
      tile(texts.frequency, `Deployments to ${where}`, `${deployments} in ${usualDays} days`),
    leadTimes > 0 && tile(texts.leadTime, 'Lead time, commit to verified', `median of ${leadTimes}`),
    changes > 0 && tile(texts.changeFailureRate, 'Change-failure rate', `${failures} of ${changes} failed`),
    restored > 0 && tile(texts.timeToRestore, 'Time to restore', `median of ${restored}`),
  ].filter((shown) => shown !== false);
  if (tiles.length === 0) return null;
  return html`<dl class="tiles" aria-label="Delivery metrics of ${where}, last ${usualDays} days">
    ${tiles}
  </dl>`;
}
