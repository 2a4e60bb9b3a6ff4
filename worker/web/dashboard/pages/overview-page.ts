import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { lanesOf, type ShownLane } from '../../api/describe-lane.ts';
import { type GitHubLag, githubLag } from '../../api/github-lag.ts';
import { pausesFor } from '../../api/pauses.ts';
import { bulkLink, laneActs, pauseActs, workerActs } from '../acts/offered-acts.ts';
import { liveOf, verifiedOf, wantedOf } from '../lane-cells.ts';
import { pill } from '../../../../lib/html/parts.ts';
import { moment, placeOf } from '../parts.ts';
import { pauseLine } from '../pause-line.ts';
import { laneState, outOfStepMark, type State } from '../states.ts';
import type { Visit } from '../visit.ts';
import { laneNow } from './lane-now.ts';
import type { Page } from './page.ts';

interface Row {
  readonly lane: ShownLane;
  readonly state: State;
}

const inGroup =
  (group: State['group']) =>
  ({ state }: Row): boolean =>
    state.group === group;

/** A filter of lanes; `group` gives a count above zero its colour. */
interface Filter {
  readonly name: string;
  readonly label: string;
  readonly group?: State['group'];
  readonly fits: (row: Row) => boolean;
}

const filters: readonly Filter[] = [
  { name: '', label: 'All', fits: () => true },
  { name: 'needs-you', label: 'Needs attention', group: 'needs-you', fits: inGroup('needs-you') },
  { name: 'moving', label: 'In progress', group: 'moving', fits: inGroup('moving') },
  { name: 'waiting', label: 'Waiting', group: 'waiting', fits: inGroup('waiting') },
  { name: 'failed', label: 'Last failed', group: 'failed', fits: inGroup('failed') },
  {
    name: 'out-of-step',
    label: 'Out of step',
    group: 'failed',
    fits: ({ lane }) => lane.outOfStep === true,
  },
];

/** Environments × lanes: the live, the verified and the wanted version, and the activity. */
export const overviewPage: Page = {
  path: '/',
  about: 'own',
  async show(visit) {
    const lanes = await lanesOf(visit.operator, visit.engine);
    const rows = lanes.map((lane) => ({ lane, state: laneState(lane) }));
    const wanted = filters.find(({ name }) => name === visit.query.get('show')) ?? filters[0];
    const shown = rows.filter((row) => wanted?.fits(row) !== false);
    const pauses = await pausesFor(visit.operator, visit.engine);
    const main = html`<h1>Lanes</h1>
      ${pauses.map((pause) => html`<p class="problem">${pauseLine(pause)} ${pauseActs(pause.id, visit)}</p>`)}
      ${lagLine(await githubLag(visit.engine))}
      <p class="acts">${workerActs(visit)} ${bulkLink(visit)}</p>
      ${rows.length === 0 ? nothingYet() : [choices(rows, wanted), projects(shown, visit)]}`;
    return { title: titleOf(rows), main };
  },
};

/** A shorter delay is usual: GitHub allows one write a second. */
const usualLagSeconds = 60;

function lagLine({ unsentUpdates, since, behindSeconds }: GitHubLag): Markup | null {
  if (behindSeconds < usualLagSeconds) return null;
  const what = unsentUpdates === 1 ? '1 promotion' : `${unsentUpdates} promotions`;
  return html`<p class="problem">
    <b>GitHub is behind</b>: it shows an older state of ${what}. <span class="hint">${moment(since)}</span>
  </p>`;
}

function titleOf(rows: readonly Row[]): string {
  const needing = rows.filter(({ state }) => state.group === 'needs-you').length;
  return needing === 0 ? 'Lanes' : `(${needing}) Lanes`;
}

function nothingYet(): Markup {
  return html`<section class="empty">
    <h2>No promotions yet</h2>
    <ol>
      <li>Name lanes in <code>millrace.yaml</code> at the root of the repository, and commit them.</li>
      <li>List the repository in <code>worker.yaml</code>; what it does not name is denied.</li>
      <li>
        Point a webhook of the repository here: address <code>/webhooks/github</code>, content type
        <code>application/json</code>, your secret, events <em>push</em> (and <em>issue comments</em> for
        approvals).
      </li>
      <li>Push a branch or a tag that a lane waits for. The lane then appears here.</li>
    </ol>
    <p>Nothing appears? <a href="/deliveries">Deliveries</a> shows the result of each push.</p>
  </section>`;
}

function choices(rows: readonly Row[], wanted: Filter | undefined): Markup {
  return html`<nav class="filters" aria-label="Filter lanes">
    <ul>
      ${filters.map((filter) => {
        const { name, label, group = '' } = filter;
        const count = rows.filter(filter.fits).length;
        return html`<li>
          <a
            class="${count > 0 ? group : ''}"
            href="${name === '' ? '/' : `/?show=${name}`}"
            ${filter === wanted ? html`aria-current="true"` : null}
            ><b>${count}</b> ${label}</a
          >
        </li>`;
      })}
    </ul>
  </nav>`;
}

/** One table for each project of each repository. */
function projects(rows: readonly Row[], visit: Visit): Content {
  if (rows.length === 0) return html`<p class="empty">No lanes. <a href="/">Show all lanes</a></p>`;
  const groups = Map.groupBy(rows, ({ lane }) => `${lane.repository}\n${lane.project}`);
  return [...groups.values()].map((group) => {
    const [first] = group;
    const { repository = '', project = '' } = first?.lane ?? {};
    return html`<section class="project">
      <h2>
        ${repository} <span class="hint">project <code>${project}</code></span>
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
        ${environments(group).map(([name, inside]) => environment(name, inside, visit))}
      </table>
    </section>`;
  });
}

/** Environments in the order in which versions travel. */
function environments(rows: readonly Row[]): readonly (readonly [string, readonly Row[]])[] {
  const byTarget = Map.groupBy(rows, ({ lane }) => lane.to);
  const depthOf = (name: string, seen: readonly string[] = []): number => {
    const sources = (byTarget.get(name) ?? []).map(({ lane }) => lane.from);
    const depths = sources
      .filter((source) => !seen.includes(source) && source !== name)
      .map((source) => depthOf(source, [...seen, name]) + 1);
    return Math.max(0, ...depths);
  };
  const depths = new Map([...byTarget.keys()].map((name) => [name, depthOf(name)]));
  return [...byTarget].toSorted(([a], [b]) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0));
}

function environment(name: string, rows: readonly Row[], visit: Visit): Markup {
  return html`<tbody>
    <tr class="environment">
      <th scope="rowgroup" colspan="6">
        ${name} <span class="hint">${rows.length} ${rows.length === 1 ? 'lane' : 'lanes'}</span>
      </th>
    </tr>
    ${rows.map((row) => laneRow(row, visit))}
  </tbody>`;
}

function laneRow({ lane, state }: Row, visit: Visit): Markup {
  return html`<tr id="${encodeURIComponent(lane.id)}" class="${state.group}">
    <th scope="row" data-label="Lane">
      <a href="${placeOf('lanes', lane.id)}">${lane.name}</a>
      <span class="hint">from ${lane.from}</span>
    </th>
    <td data-label="Live"><div>${liveOf(lane)}</div></td>
    <td data-label="Verified"><div>${verifiedOf(lane)}</div></td>
    <td data-label="Wanted"><div>${wantedOf(lane)}</div></td>
    <td data-label="Now">
      <div>${pill(state.tone, state.label)} ${outOfStepMark(lane, state)} ${laneNow(lane)}</div>
    </td>
    <td data-label="Actions" class="acts"><div>${laneActs(lane, visit, true)}</div></td>
  </tr>`;
}
