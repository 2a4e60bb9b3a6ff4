import { expect, test } from 'vitest';
import { acts, pathOf } from '../../../worker/web/dashboard/acts/acts.ts';
import { pages } from '../../../worker/web/dashboard/pages/pages.ts';
import { bulkActions } from '../../../worker/web/api/operations/bulk-filter.ts';
import { routes } from '../../../worker/web/api/routes.ts';
import { allCommands, wordsOf } from '../../../cli/kit/help.ts';
import { wholeProgram } from '../../cli/whole-program.ts';

interface Action {
  /** Path of the API, with POST, and the same of the dashboard. */
  readonly path: string;
  readonly command: string;
  /** The option or the argument that selects the action. */
  readonly by: string;
}

/** Everything that an operator can do, written down by hand: a new action must be added here, and to all three. */
const actions: readonly Action[] = [
  { path: '/lanes/:id/refresh', command: 'refresh', by: 'lane' },
  { path: '/lanes/:id/hold', command: 'hold', by: 'lane' },
  { path: '/lanes/:id/resume', command: 'resume', by: 'lane' },
  { path: '/lanes/:id/roll-back', command: 'rollback', by: '--lane' },
  { path: '/lanes/:id/promote', command: 'promote', by: '--lane' },
  { path: '/promotions/:id/approve', command: 'approve', by: 'promotion' },
  { path: '/promotions/:id/reject', command: 'reject', by: 'promotion' },
  { path: '/promotions/:id/override-freeze', command: 'resume', by: '--override-freeze' },
  { path: '/promotions/:id/pass-evidence', command: 'resume', by: '--pass-evidence' },
  { path: '/promotions/:id/cancel', command: 'cancel', by: 'promotion' },
  { path: '/promotions/:id/retry', command: 'retry', by: 'promotion' },
  { path: '/promotions/:id/resolve', command: 'resolve', by: 'promotion' },
  { path: '/bulk/resume', command: 'resume', by: '--all' },
  { path: '/bulk/resolve', command: 'resolve', by: '--all' },
  { path: '/bulk/retry', command: 'retry', by: '--all' },
  { path: '/pause', command: 'pause', by: '--reason' },
  { path: '/pauses/:id/resume', command: 'resume', by: '--pause' },
  { path: '/dead-letters/:id/replay', command: 'replay', by: 'letter' },
];

/** Everything that an operator can see: the path of the API, the page of the dashboard, and the command with its options. */
const views: readonly (readonly [path: string, page: string, command: string, ...options: string[]])[] = [
  ['/lanes', '/', 'lanes'],
  ['/lanes/:id', '/lanes/:id', 'lanes', 'lane'],
  // Both are at the top of the lanes.
  ['/pauses', '/', 'lanes'],
  ['/config', '/', 'lanes'],
  // At the top of the lanes.
  ['/metrics', '/', 'metrics', '--repository', '--lane', '--days'],
  ['/promotions', '/promotions', 'promotions'],
  ['/promotions/:id', '/promotions/:id', 'promotions', 'promotion'],
  ['/deliveries', '/deliveries', 'deliveries'],
  ['/dead-letters', '/dead-letters', 'replay'],
  ['/audit', '/audit', 'audit', '--worker', '--lane', '--promotion', '--by', '--before'],
  // A link at the top of the audit.
  ['/export', '/audit', 'export', '--out', '--since'],
];

/** Who asks: the header of each page, and the operator's own token. */
const ofTheToken = '/me';

const program = wholeProgram();
const commands = new Map(allCommands(program).map((command) => [wordsOf(command), command]));
const dashboard = [...acts.map((act) => pathOf(act)), ...bulkActions.map((action) => `/bulk/${action}`)];

test('the table lists every action of the API and every action of the dashboard', () => {
  const paths = actions.map(({ path }) => path).toSorted();
  expect(routes.flatMap(({ method, path }) => (method === 'POST' ? [path] : [])).toSorted()).toEqual(paths);
  expect(dashboard.toSorted()).toEqual(paths);
});

test('the table lists every view of the API, except previews, and every page of the dashboard', () => {
  const previews = [...bulkActions.map((action) => `/bulk/${action}`), ...actions.map(({ path }) => path)];
  const reads = routes.flatMap(({ method, path }) => (method === 'GET' ? [path] : []));
  expect(reads.filter((path) => path !== ofTheToken && !previews.includes(path)).toSorted()).toEqual(
    views.map(([path]) => path).toSorted(),
  );
  expect(pages.map(({ path }) => path).toSorted()).toEqual(
    [...new Set(views.map(([, page]) => page))].toSorted(),
  );
});

test.each(views)('%s is on the page %s, and the command %s shows it', (_path, _page, name, ...options) => {
  const command = commands.get(name);
  expect(command).toBeDefined();
  expect([
    ...(command?.options ?? []).map(({ long }) => long),
    ...(command?.registeredArguments ?? []).map((argument) => argument.name()),
  ]).toEqual(expect.arrayContaining(options));
});

test.each(actions)(
  '$path is a command with the same word: $command with $by',
  ({ path, command: name, by }) => {
    const word = (path.split('/').at(-1) ?? '').replaceAll('-', '');
    expect([name, by.replaceAll('-', '')]).toContain(word);
    const command = commands.get(name);
    const inputs = [
      ...(command?.options ?? []).map(({ long }) => long),
      ...(command?.registeredArguments ?? []).map((argument) => argument.name()),
    ];
    expect(inputs).toContain(by);
    const label = acts
      .find((act) => pathOf(act) === path)
      ?.label.toLowerCase()
      .replaceAll(' ', '');
    if (label !== undefined)
      expect(label).toMatch(word.startsWith('override') ? /^override.*freeze$/ : new RegExp(`^${word}`));
  },
);
