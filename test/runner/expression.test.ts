import { expect, test } from 'vitest';
import { evaluate, interpolate } from './expression.ts';

const context = {
  values: { github: { token: 't0', ref: 'refs/tags/v1' }, inputs: { 'dry-run': 'true', to: '' } },
  functions: { success: () => true, cancelled: () => false },
};

test.each([
  ["inputs.dry-run == 'TRUE'", true],
  ["inputs.to != ''", false],
  ["success() && inputs.to == ''", true],
  ['!cancelled()', true],
  ["inputs.to || 'dev'", 'dev'],
  ['(true && false) || github.ref', 'refs/tags/v1'],
  ["'it''s'", "it's"],
])('%s gives %j', (source, value) => {
  expect(evaluate(source, context)).toBe(value);
});

test.each(['inputs.tokn', 'secrets.TOKEN', 'hashFiles()', 'inputs.to ==', 'a b', '1 + 1'])(
  '%s is an error instead of a guess',
  (source) => {
    expect(() => evaluate(source, context)).toThrow(source);
  },
);

test('a text keeps what stands around its expressions', () => {
  expect(interpolate('a ${{ github.token }} b ${{ true }}', context)).toBe('a t0 b true');
});
