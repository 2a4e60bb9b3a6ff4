import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { numberOf } from '../../../../lib/core/text/number-of.ts';
import { lanesOf, type ShownLane } from '../../api/operations/describe-lane.ts';
import { type GitHubLag, githubLag } from '../../api/operations/github-lag.ts';
import { pausesFor } from '../../api/operations/pauses.ts';
import { bulkLink, pauseActs, workerActs } from '../acts/offered-acts.ts';
import { boardRow } from '../board/board-row.ts';
import { filterForm, pager, stateLinks } from '../board/filter-form.ts';
import {
  fitsScope,
  groupByProject,
  type LaneFilter,
  type LaneRow,
  pagesOf,
  type ProjectRows,
  readLaneFilter,
  stateFilters,
} from '../board/lane-filter.ts';
import { lanesTable } from '../board/lanes-table.ts';
import { boardMetrics } from '../board/metric-tiles.ts';
import { noLanes } from '../board/no-lanes.ts';
import { moment } from '../parts/parts.ts';
import { pauseLine } from '../parts/pause-line.ts';
import { laneState } from '../parts/states.ts';
import type { Visit } from '../parts/visit.ts';
import type { Page } from './page.ts';

/** Lanes of one page: a screen full. */
const pageSize = 50;

/** The first page: what is live, in progress and waiting in each repository, as a board or as a table. */
export const overviewPage: Page = {
  path: '/',
  about: 'own',
  async show(visit) {
    const lanes = await lanesOf(visit.operator, visit.ports);
    const rows = lanes.map((lane) => ({ lane, state: laneState(lane) }));
    const filter = readLaneFilter(visit.query);
    const pauses = await pausesFor(visit.operator, visit.ports);
    const main = html`<div class="top">
        <h1>${headingOf(filter)}</h1>
        <p class="acts">${workerActs(visit)} ${bulkLink(visit)}</p>
      </div>
      ${pauses.map((pause) => html`<p class="problem">${pauseLine(pause)} ${pauseActs(pause.id, visit)}</p>`)}
      ${lagLine(await githubLag(visit.ports))}
      ${
        rows.length === 0
          ? noLanes(visit)
          : html`${await boardMetrics(scoped(rows, filter), filter.environment, visit)}
              <div class="tools">${stateLinks(rows, filter)} ${filterForm(rows, filter)}</div>
              ${lanesOn(rows, filter, visit)}`
      }`;
    return { title: titleOf(rows, filter), main };
  },
};

/** The lanes whose metrics are shown: the lanes of the repository and the environment. */
function scoped(rows: readonly LaneRow[], filter: LaneFilter): readonly ShownLane[] {
  return rows.filter((row) => fitsScope(row, { ...filter, q: '' })).map(({ lane }) => lane);
}

function headingOf({ repository, environment }: LaneFilter): string {
  const scope = [environment, repository].filter((name) => name !== '').join(', ');
  return scope === '' ? 'Lanes' : `Lanes: ${scope}`;
}

/** The lanes that fit the filter, of the page that the address names. */
function lanesOn(rows: readonly LaneRow[], filter: LaneFilter, visit: Visit): Content {
  const byState = stateFilters.find(({ name }) => name === filter.show);
  const shown = rows.filter((row) => fitsScope(row, filter) && byState?.fits(row) !== false);
  if (shown.length === 0)
    return html`<p class="empty">No lane fits the filter. <a href="/">Show all lanes</a></p>`;
  const groups = groupByProject(shown);
  const pages = pagesOf(groups, pageSize);
  const page = Math.min(filter.page, pages.length);
  const here = pages[page - 1] ?? [];
  const projectsOf = Map.groupBy(groups, ({ repository }) => repository);
  const isOnly = ({ repository }: ProjectRows): boolean => projectsOf.get(repository)?.length === 1;
  return [
    filter.view === 'table'
      ? here.map((group) => lanesTable(group, visit))
      : html`<ul class="board">
          ${here.map((group) => boardRow(group, isOnly(group), visit))}
        </ul>`,
    pager(filter, { page, pages: pages.length }),
  ];
}

/** A shorter delay is usual: GitHub allows one write a second. */
const usualLagSeconds = 60;

function lagLine({ unsentUpdates, since, behindSeconds }: GitHubLag): Markup | null {
  if (behindSeconds < usualLagSeconds) return null;
  const what = numberOf(unsentUpdates, 'promotion');
  return html`<p class="problem">
    <b>GitHub is behind</b>: it shows an older state of ${what}. <span class="hint">${moment(since)}</span>
  </p>`;
}

function titleOf(rows: readonly LaneRow[], filter: LaneFilter): string {
  const needing = rows.filter(({ state }) => state.group === 'needs-you').length;
  return needing === 0 ? headingOf(filter) : `(${needing}) ${headingOf(filter)}`;
}
