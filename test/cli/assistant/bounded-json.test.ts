import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedJson } from '../../../cli/assistant/bounded-json.ts';

test('a result that fits is unchanged', () => {
  expect(boundedJson({ findings: [1, 2] }, 100)).toBe('{"findings":[1,2]}');
});

test('the largest list is halved until the result fits, and the others are whole', () => {
  const value = { few: ['a', 'b'], many: Array.from({ length: 64 }, (_, index) => `item ${index}`) };
  expect(JSON.parse(boundedJson(value, 200))).toEqual({
    shortened: [{ path: 'many', shown: 8, of: 64 }],
    result: { few: ['a', 'b'], many: value.many.slice(0, 8) },
  });
});

test('inside one item that has nearly everything, its own list is halved', () => {
  const value = [{ name: 'x', rows: Array.from({ length: 64 }, () => 'row') }];
  expect(JSON.parse(boundedJson(value, 130))).toMatchObject({
    shortened: [{ path: '0.rows', of: 64 }],
    result: [{ name: 'x' }],
  });
});

test('any result is JSON within the limit', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 50, max: 300 }), (value, limit) => {
      const text = boundedJson(value, limit);
      JSON.parse(text);
      expect(text.length).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 300 },
  );
});
