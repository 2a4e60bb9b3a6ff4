import { html } from '../../../../lib/html/markup.ts';
import { describeLane } from '../../api/describe-lane.ts';
import { promotionsOf } from '../../api/promotions.ts';
import { laneActs } from '../acts/offered-acts.ts';
import { facts, pill } from '../../../../lib/html/parts.ts';
import { laneState, outOfStepMark } from '../states.ts';
import { laneNow } from './lane-now.ts';
import { liveOf, verifiedOf, wantedOf } from '../lane-cells.ts';
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
    const { id, engine } = visit;
    const record = await engine.store.lane(id);
    if (record === undefined) return undefined;
    const lane = await describeLane(record, engine);
    const state = laneState(lane);
    const [promotions, history] = await Promise.all([
      promotionsOf(visit, id, maxPromotions),
      engine.store.history({ lane: id }),
    ]);
    const main = html`<h1>${lane.name} ${pill(state.tone, state.label)} ${outOfStepMark(lane, state)}</h1>
      <p class="acts">${laneActs(lane, visit)}</p>
      <div class="now">${laneNow(lane)}</div>
      ${facts([
        ['Path', html`${lane.from} → ${lane.to}`],
        ['Live', liveOf(lane)],
        ['Verified', verifiedOf(lane)],
        ['Wanted', wantedOf(lane)],
        ['Repository', lane.repository],
        ['Project', html`<code>${lane.project}</code>`],
      ])}
      ${promotionsTable('Promotions, newest first', promotions, visit)}
      ${timelineTable('History of the lane', history.slice(-maxEntries).toReversed())}`;
    return { title: lane.name, main };
  },
};
