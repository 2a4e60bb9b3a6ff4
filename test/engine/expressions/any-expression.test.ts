import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectSameAsJavaScript, expressions } from './random-expression.ts';

test('random expressions have the value that JavaScript gives, or are refused', () => {
  const run = () => fc.assert(fc.property(expressions, expectSameAsJavaScript), { numRuns: 300 });
  expect(run).not.toThrow();
});
