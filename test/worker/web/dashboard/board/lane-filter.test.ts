import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ShownLane } from '../../../../../worker/web/api/operations/describe-lane.ts';
import {
  addressOf,
  fitsScope,
  type LaneRow,
  pagesOf,
  readLaneFilter,
} from '../../../../../worker/web/dashboard/board/lane-filter.ts';
import { ownPlace } from '../../../../../worker/web/dashboard/parts/own-place.ts';

const filterOf = (query: string) => readLaneFilter(new URLSearchParams(query));

const row = (facts: object): LaneRow => ({
  lane: {
    name: 'to-prod',
    repository: 'acme/stock',
    project: 'p',
    from: 'test',
    to: 'prod',
    live: { version: 'v1.0.0' },
    verified: { version: 'v1.0.0' },
    active: null,
    last: null,
    holds: [],
    outOfStep: false,
    ...facts,
  } as unknown as ShownLane,
  state: { tone: 'good', label: 'up to date', group: 'quiet' },
});

test('the address holds the filter, and a person who signs in again comes back to it', () => {
  fc.assert(
    fc.property(
      fc.record({
        repository: fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.trim()),
        environment: fc.string({ maxLength: 10 }).map((text) => text.trim()),
        q: fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.trim()),
        show: fc.constantFrom('', 'moving', 'out-of-step'),
        view: fc.constantFrom('board', 'table'),
        page: fc.integer({ min: 1, max: 50 }),
      }),
      (filter) => {
        const address = addressOf({ ...filter, view: filter.view === 'table' ? 'table' : 'board' });
        expect(readLaneFilter(new URL(address, 'http://worker').searchParams)).toEqual(filter);
      },
    ),
    { numRuns: 100 },
  );
  // As a browser writes the fields of a form.
  expect(ownPlace('/?q=acme+stock&repository=acme%2Fstock')).toBe('/?q=acme+stock&repository=acme%2Fstock');
});

test.each([
  ['', true],
  ['repository=acme%2Fstock&environment=prod', true],
  ['repository=acme', false],
  ['environment=test', false],
  ['q=STOCK+v1.0', true],
  ['q=stock+v2', false],
  ['q=auditor', true],
] as const)('a lane is found by %s: %s', (query, fits) => {
  const held = row({ holds: [{ reason: 'waits for the auditor', by: 'grace' }] });
  expect(fitsScope(held, filterOf(query))).toBe(fits);
});

test.each(['page=0', 'page=-1', 'page=x', 'page=1e99', 'show=nothing', 'view=x'])(
  'the wrong value %s counts as none',
  (query) => {
    expect(filterOf(query)).toEqual(filterOf(''));
  },
);

test('a project is on one page, unless it alone has more lanes than a page', () => {
  const group = (project: string, count: number) => ({
    repository: 'r',
    project,
    rows: Array.from({ length: count }, () => row({ project })),
  });
  const pages = pagesOf([group('a', 2), group('b', 2), group('c', 7)], 3);
  expect(pages.map((page) => page.map(({ project, rows }) => `${project}${rows.length}`))).toEqual([
    ['a2'],
    ['b2'],
    ['c3'],
    ['c3'],
    ['c1'],
  ]);
  expect(pagesOf([], 3)).toEqual([]);
});
