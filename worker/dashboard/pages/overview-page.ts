import { type Content, html, type Markup } from '../../../model/markup.ts';
import { lanesOf, type ShownLane } from '../../api/describe-lane.ts';
import { laneActs } from '../acts/offered-acts.ts';
import { moment, pill, placeOf } from '../parts.ts';
import { laneState, type State } from '../states.ts';
import type { Visit } from '../visit.ts';
import { laneNow } from './lane-now.ts';
import type { Page } from './page.ts';

interface Row {
  readonly lane: ShownLane;
  readonly state: State;
}

const filters: readonly (readonly [name: string, label: string, group: State['group'] | undefined])[] = [
  ['', 'All', undefined],
  ['needs-you', 'Need somebody', 'needs-you'],
  ['moving', 'Moving', 'moving'],
  ['failed', 'Failed last', 'failed'],
];

/** Environments × lanes: what is live, what is wanted, what happens. */
export const overviewPage: Page = {
  path: '',
  about: 'own',
  async show(visit) {
    const lanes = await lanesOf(visit.operator, visit.engine);
    const rows = lanes.map((lane) => ({ lane, state: laneState(lane) }));
    const wanted = filters.find(([name]) => name === visit.query.get('show'))?.[2];
    const shown = rows.filter(({ state }) => wanted === undefined || state.group === wanted);
    const main = html`<h1>Lanes</h1>
      ${rows.length === 0 ? nothingYet() : [choices(rows, wanted), projects(shown, visit)]}`;
    return { title: titleOf(rows), main };
  },
};

function titleOf(rows: readonly Row[]): string {
  const needing = rows.filter(({ state }) => state.group === 'needs-you').length;
  return needing === 0 ? 'Lanes' : `(${needing}) Lanes`;
}

function nothingYet(): Markup {
  return html`<section class="empty">
    <h2>No lane has had a run yet</h2>
    <ol>
      <li>Name lanes in <code>millrace.yaml</code> at the root of the repository, and commit them.</li>
      <li>List the repository in <code>worker.yaml</code>; what it does not name is denied.</li>
      <li>
        Point a webhook of the repository here: address <code>/webhooks/github</code>, content type
        <code>application/json</code>, your secret, events <em>push</em> (and <em>issue comments</em> for
        approvals).
      </li>
      <li>Push a branch or a tag that a lane waits for. The lane appears here by itself.</li>
    </ol>
    <p>Nothing appears? <a href="/deliveries">Deliveries</a> says what became of each push.</p>
  </section>`;
}

function choices(rows: readonly Row[], wanted: State['group'] | undefined): Markup {
  const count = (group: State['group'] | undefined): number =>
    rows.filter(({ state }) => group === undefined || state.group === group).length;
  return html`<nav class="filters" aria-label="Which lanes">
    <ul>
      ${filters.map(
        ([name, label, group]) =>
          html`<li>
            <a
              class="${count(group) > 0 ? (group ?? '') : ''}"
              href="${name === '' ? '/' : `/?show=${name}`}"
              ${group === wanted ? html`aria-current="true"` : null}
              ><b>${count(group)}</b> ${label}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

/** One table for each project of each repository. */
function projects(rows: readonly Row[], visit: Visit): Content {
  if (rows.length === 0) return html`<p class="empty">None. <a href="/">Show all lanes</a></p>`;
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
            <th scope="col">Wanted</th>
            <th scope="col">Now</th>
            <th scope="col">
              ${visit.operator.role === 'viewer' ? html`<span class="unseen">Acts</span>` : 'Acts'}
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
      <th scope="rowgroup" colspan="5">
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
    <td data-label="Wanted"><div>${wantedOf(lane)}</div></td>
    <td data-label="Now"><div>${pill(state.tone, state.word)} ${laneNow(lane)}</div></td>
    <td data-label="Acts" class="acts"><div>${laneActs(lane, visit, true)}</div></td>
  </tr>`;
}

export function liveOf({ live }: Pick<ShownLane, 'live'>): Content {
  if (live === null) return '–';
  return html`<b class="version">${live.version}</b> <span class="hint">${moment(live.at)}</span>`;
}

export function wantedOf({ last, live }: Pick<ShownLane, 'last' | 'live'>): Content {
  if (last === null) return '–';
  const name = last.version ?? last.commit.slice(0, 12);
  if (last.version !== null && last.version === live?.version)
    return html`<span class="hint">the same</span>`;
  return html`<a class="version" href="${placeOf('runs', last.id)}">${name}</a>`;
}
