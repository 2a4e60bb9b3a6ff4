import type { ShownLane } from '../../api/operations/describe-lane.ts';
import type { State } from '../parts/states.ts';

/** Compares names so that `warehouse-9` comes before `warehouse-10`. */
export const byName = new Intl.Collator('en', { numeric: true }).compare;

/** A lane with its state. */
export interface LaneRow {
  readonly lane: ShownLane;
  readonly state: State;
}

/** The filter in the address of the page. An empty text matches everything. */
export interface LaneFilter {
  readonly repository: string;
  readonly environment: string;
  /** Name of a state filter. */
  readonly show: string;
  /** Words that must all be somewhere in the lane. */
  readonly q: string;
  readonly view: 'board' | 'table';
  /** From 1. */
  readonly page: number;
}

const inGroup =
  (group: State['group']) =>
  ({ state }: LaneRow): boolean =>
    state.group === group;

/** A filter by state. `group` colours its number if it is above zero. */
export interface StateFilter {
  readonly name: string;
  readonly label: string;
  readonly group?: State['group'];
  readonly fits: (row: LaneRow) => boolean;
}

export const stateFilters: readonly StateFilter[] = [
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

const maxTextLength = 200;

export function readLaneFilter(query: URLSearchParams): LaneFilter {
  const text = (name: string): string => (query.get(name) ?? '').trim().slice(0, maxTextLength);
  const page = Number(query.get('page') ?? '1');
  return {
    repository: text('repository'),
    environment: text('environment'),
    show: stateFilters.find(({ name }) => name === query.get('show'))?.name ?? '',
    q: text('q'),
    view: query.get('view') === 'table' ? 'table' : 'board',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The address of the page with this filter. It contains only the values that differ from the default. */
export function addressOf({ repository, environment, show, q, view, page }: LaneFilter): string {
  const parameters = Object.entries({
    repository,
    environment,
    show,
    q,
    view: view === 'board' ? '' : view,
    page: page === 1 ? '' : String(page),
  }).filter(([, value]) => value !== '');
  if (parameters.length === 0) return '/';
  return `/?${parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** The address of the page of an environment or, without one, of a repository. */
export function scopeAddress(repository: string, environment = ''): string {
  return addressOf({ repository, environment, show: '', q: '', view: 'board', page: 1 });
}

/** Whether a lane matches the filters by repository, environment and text. Its state does not matter. */
export function fitsScope({ lane, state }: LaneRow, filter: LaneFilter): boolean {
  if (filter.repository !== '' && lane.repository !== filter.repository) return false;
  if (filter.environment !== '' && lane.to !== filter.environment) return false;
  if (filter.q === '') return true;
  const text = textOf(lane, state).toLowerCase();
  return filter.q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Everything that a person may search a lane by. */
function textOf({ name, repository, project, from, to, ...lane }: ShownLane, { label }: State): string {
  const promotions = [lane.active, lane.last].flatMap((promotion) => (promotion === null ? [] : [promotion]));
  return [
    name,
    repository,
    project,
    from,
    to,
    label,
    lane.outOfStep === true ? 'out of step' : '',
    lane.live.version ?? '',
    lane.verified?.version ?? '',
    ...promotions.flatMap(({ version, commit, ref, pusher, status }) => [
      version,
      commit,
      ref,
      pusher,
      status,
    ]),
    ...lane.holds.flatMap(({ reason, by }) => [reason, by]),
  ].join('\n');
}

/** The lanes of one project of one repository, in the order in which versions pass them. */
export interface ProjectRows {
  readonly repository: string;
  readonly project: string;
  readonly rows: readonly LaneRow[];
}

export function groupByProject(rows: readonly LaneRow[]): readonly ProjectRows[] {
  const groups = Map.groupBy(rows, ({ lane }) => `${lane.repository}\n${lane.project}`);
  return [...groups]
    .toSorted(([a], [b]) => byName(a, b))
    .map(([, inside]) => ({
      repository: inside[0]?.lane.repository ?? '',
      project: inside[0]?.lane.project ?? '',
      rows: inside,
    }));
}

/**
 * Splits the lanes into pages of at most `size` lanes. A project stays on one page unless it has more lanes than a
 * page.
 */
export function pagesOf(groups: readonly ProjectRows[], size: number): readonly (readonly ProjectRows[])[] {
  const parts = groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.rows.length / size) }, (_, i) => ({
      ...group,
      rows: group.rows.slice(i * size, (i + 1) * size),
    })),
  );
  const pages: ProjectRows[][] = [];
  let count = Infinity;
  for (const part of parts) {
    if (count + part.rows.length > size) {
      pages.push([]);
      count = 0;
    }
    pages.at(-1)?.push(part);
    count += part.rows.length;
  }
  return pages;
}
