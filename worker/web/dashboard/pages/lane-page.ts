import { html } from '../../../../lib/html/markup.ts';
import { describeLane } from '../../api/operations/describe-lane.ts';
import { promotionsOf } from '../../api/operations/promotions.ts';
import { laneActs } from '../acts/offered-acts.ts';
import { facts, pill } from '../../../../lib/html/parts.ts';
import { laneState, outOfStepMark } from '../parts/states.ts';
import { laneNow } from '../parts/lane-now.ts';
import { liveOf, verifiedOf, wantedOf } from '../parts/lane-cells.ts';
import { metricTiles } from '../board/metric-tiles.ts';
import { scopeAddress } from '../board/lane-filter.ts';
import { laneCharts } from '../charts/lane-charts.ts';
import { metricsOfLanes, spanOf, usualDays } from '../../metrics/describe-metrics.ts';
import { readPast } from '../../metrics/past-promotions.ts';
import type { Page } from './page.ts';
import { promotionsTable } from './promotions-page.ts';
import { timelineTable } from './timeline-table.ts';

const maxPromotions = 30;
const maxEntries = 200;

/** One lane: its state, its promotions and its history. */
export const lanePage: Page = {
  path: '/lanes/:id',
  about: 'lane',
  async show(visit) {
    const { id, ports } = visit;
    const record = await ports.store.lane(id);
    if (record === undefined) return undefined;
    const lane = await describeLane(record, ports);
    const state = laneState(lane);
    const [promotions, history, past, charts] = await Promise.all([
      promotionsOf(visit, id, maxPromotions),
      ports.store.history({ lane: id }),
      readPast(ports, [record]),
      laneCharts(id, ports),
    ]);
    const metrics = metricsOfLanes([record], past, spanOf(ports.clock.now(), usualDays));
    const main = html`<h1>
        ${lane.name} <span class="hint">${lane.repository}</span> ${pill(state.tone, state.label)}
        ${outOfStepMark(lane, state)}
      </h1>
      <p class="acts">${laneActs(lane, visit)}</p>
      <div class="now">${laneNow(lane)}</div>
      ${facts([
        ['Path', html`${lane.from} → ${lane.to}`],
        ['Live', liveOf(lane)],
        ['Verified', verifiedOf(lane)],
        ['Wanted', wantedOf(lane)],
        ['Repository', html`<a href="${scopeAddress(lane.repository)}">${lane.repository}</a>`],
        ['Project', html`<code>${lane.project}</code>`],
      ])}
      ${metricTiles(metrics, lane.to)} ${charts}
      ${promotionsTable('Promotions, newest first', promotions, { visit, showsLane: false })}
      ${timelineTable('History of the lane', history.slice(-maxEntries).toReversed())}`;
    return { title: lane.name, main };
  },
};
