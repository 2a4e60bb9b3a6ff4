import { expect, test } from 'vitest';
import { evaluate, interpolate, isDue } from './expression.ts';

const context = {
  values: {
    github: { token: 't0', ref: 'refs/tags/v1' },
    inputs: { 'dry-run': 'true', to: '' },
    steps: { one: { outputs: new Map([['said', 'hello']]) } },
  },
  functions: { success: () => false, cancelled: () => true },
};

test.each([
  ["inputs.dry-run == 'TRUE'", true],
  ["inputs.to != ''", false],
  ["cancelled() && inputs.to == ''", true],
  ['!success()', true],
  ["inputs.to || 'dev'", 'dev'],
  ['(true && false) || github.ref', 'refs/tags/v1'],
  ["'it''s'", "it's"],
  ["startsWith(github.ref, 'refs/tags/')", true],
  ["format('{0}-{1}', inputs.to, 1)", '-1'],
  ["fromJSON('[3]')[0] >= '3'", true],
  ['inputs.to', ''],
])('%s gives %j', (source, value) => {
  expect(evaluate(source, context)).toBe(value);
});

test('an output that a step did not set is empty, as steps set only what they have', () => {
  expect(interpolate('${{ steps.one.outputs.said }} ${{ steps.one.outputs.other }}.', context)).toBe(
    'hello .',
  );
});

test.each([
  'inputs.tokn',
  'steps.two.outputs.x',
  'secrets.TOKEN',
  'hashFiles()',
  'inputs.to ==',
  'a b',
  '1 + 1',
])('%s is an error instead of a guess', (source) => {
  expect(() => evaluate(source, context)).toThrow(source);
});

test('a text keeps everything around its expressions, and braces in a string do not end an expression', () => {
  expect(interpolate("a ${{ github.token }} b ${{ true }} ${{ '}}' }}", context)).toBe('a t0 b true }}');
});

test('a condition without a status function also needs success; one inside a string does not count', () => {
  expect(isDue('${{ cancelled() }}', context)).toBe(true);
  expect(isDue("inputs.to == ''", context)).toBe(false);
  expect(isDue("inputs.to != 'cancelled()'", context)).toBe(false);
});
