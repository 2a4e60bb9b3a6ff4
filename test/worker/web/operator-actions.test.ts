import { expect, test } from 'vitest';
import { acts, pathOf } from '../../../worker/web/dashboard/acts/acts.ts';
import { bulkActions } from '../../../worker/web/api/bulk-filter.ts';
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
  { path: '/promotions/:id/override-freeze', command: 'resume', by: '--override-freeze' },
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

const program = wholeProgram();
const commands = new Map(allCommands(program).map((command) => [wordsOf(command), command]));
const dashboard = [...acts.map((act) => pathOf(act)), ...bulkActions.map((action) => `/bulk/${action}`)];

test('the table lists every action of the API and every action of the dashboard', () => {
  const paths = actions.map(({ path }) => path).toSorted();
  expect(routes.flatMap(({ method, path }) => (method === 'POST' ? [path] : [])).toSorted()).toEqual(paths);
  expect(dashboard.toSorted()).toEqual(paths);
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
