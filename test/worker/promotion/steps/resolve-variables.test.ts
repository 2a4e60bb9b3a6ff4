import { expect, test } from 'vitest';
import { resolveVariables } from '../../../../worker/promotion/steps/start.ts';

const since = Date.parse('2028-02-28T23:59:59Z');

test('a day is the day on which the verification began, in UTC, whenever it is asked for', () => {
  expect(resolveVariables({ day: 'today', from: 'yesterday', to: 'tomorrow' }, since)).toEqual({
    day: '2028-02-28',
    from: '2028-02-27',
    to: '2028-02-29',
  });
});

test('any other value is sent as it is written', () => {
  const given = { a: 'Today', b: 'toString', c: '', d: '42', e: 'today ' };
  expect(resolveVariables(given, since)).toEqual(given);
});
