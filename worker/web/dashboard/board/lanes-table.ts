import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { pill } from '../../../../lib/html/parts.ts';
import { numberOf } from '../../../../lib/core/text/number-of.ts';
import { laneActs } from '../acts/offered-acts.ts';
import { liveOf, verifiedCell, wantedCell } from '../parts/lane-cells.ts';
import { laneNow } from '../parts/lane-now.ts';
import { placeOf } from '../parts/parts.ts';
import { outOfStepMark } from '../parts/states.ts';
import type { Visit } from '../parts/visit.ts';
import { environmentDepths } from './environment-order.ts';
import { type LaneRow, type ProjectRows, scopeAddress } from './lane-filter.ts';

/** Lanes into one environment. */
type Group = readonly [environment: string, rows: readonly LaneRow[]];

/**
 * The table of a project's lanes, by environment: the live, the verified and the wanted version, and what the lane
 * does now.
 */
export function lanesTable({ repository, project, rows }: ProjectRows, visit: Visit): Markup {
  return html`<section>
    <h2>
      <a href="${scopeAddress(repository)}">${repository}</a>
      <span class="hint">project <code>${project}</code></span>
    </h2>
    <table class="cards lanes">
      <caption class="unseen">
        Lanes of ${repository} by environment
      </caption>
      <thead>
        <tr>
          <th scope="col">Lane</th>
          <th scope="col">Live</th>
          <th scope="col">Verified</th>
          <th scope="col">Wanted</th>
          <th scope="col">Now</th>
          <th scope="col">
            ${visit.operator.role === 'viewer' ? html`<span class="unseen">Actions</span>` : 'Actions'}
          </th>
        </tr>
      </thead>
      ${bodies(byEnvironment(rows), visit)}
    </table>
  </section>`;
}

/** Environments in the order in which versions travel. */
function byEnvironment(rows: readonly LaneRow[]): readonly Group[] {
  const depths = environmentDepths(rows.map(({ lane }) => lane));
  return [...Map.groupBy(rows, ({ lane }) => lane.to)].toSorted(
    ([a], [b]) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0),
  );
}

/** A heading for each environment, unless each has only one lane: its row names the environment. */
function bodies(groups: readonly Group[], visit: Visit): Content {
  if (groups.every(([, rows]) => rows.length === 1))
    return html`<tbody>
      ${groups.map(([, rows]) => rows.map((row) => laneRow(row, visit)))}
    </tbody>`;
  return groups.map(([name, rows]) => environment(name, rows, visit));
}

function environment(name: string, rows: readonly LaneRow[], visit: Visit): Markup {
  return html`<tbody>
    <tr class="environment">
      <th scope="rowgroup" colspan="6">${name} <span class="hint">${numberOf(rows.length, 'lane')}</span></th>
    </tr>
    ${rows.map((row) => laneRow(row, visit))}
  </tbody>`;
}

function laneRow({ lane, state }: LaneRow, visit: Visit): Markup {
  return html`<tr id="${encodeURIComponent(lane.id)}" class="${state.group}">
    <th scope="row" data-label="Lane">
      <a href="${placeOf('lanes', lane.id)}">${lane.name}</a>
      <span class="hint">${lane.from} → ${lane.to}</span>
    </th>
    <td data-label="Live"><div>${liveOf(lane)}</div></td>
    <td data-label="Verified"><div>${verifiedCell(lane)}</div></td>
    <td data-label="Wanted"><div>${wantedCell(lane)}</div></td>
    <td data-label="Now">
      <div>${pill(state.tone, state.label)} ${outOfStepMark(lane, state)} ${laneNow(lane)}</div>
    </td>
    <td data-label="Actions" class="acts"><div>${laneActs(lane, visit, 'few')}</div></td>
  </tr>`;
}
