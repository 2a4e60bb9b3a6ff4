import { Command } from 'commander';
import { expect, test } from 'vitest';
import { atOption } from '../../../cli/kit/command.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';

const command = new Command('rollback')
  .argument('[lane]')
  .option('--version <name>')
  .option('--lane <name>')
  .option('--cursor <file>');

test.each([
  [{ input: 'version' }, { input: '--version' }],
  [{ input: 'lane' }, { input: 'lane' }],
  [{ input: 'pipeline' }, { input: 'pipeline' }],
  [{ input: '--cursor' }, { input: '--cursor' }],
  [{ file: 'version' }, { file: 'version' }],
  [undefined, undefined],
])('a failure at %j is shown at %j', (where, shown) => {
  const cause = new Error('cause');
  const options = { message: 'message', hint: 'hint', details: { a: 1 }, cause };
  const failure = new Failure('conflict', where === undefined ? options : { ...options, where });
  expect(atOption(failure, command)).toMatchObject({ code: 'conflict', ...options, where: shown });
});
