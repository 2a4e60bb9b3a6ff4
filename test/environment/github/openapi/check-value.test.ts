import { expect, test } from 'vitest';
import { checkValue } from './check-value.ts';
import type { Schema } from './schema.ts';

const schemas: Record<string, Schema> = {
  user: { type: 'object', properties: { login: { type: 'string' } } },
};
const body: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 5 },
    count: { type: 'integer', minimum: 1 },
    list: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['a', 'b'] } },
    user: { $ref: 'user' },
    link: { type: 'string', format: 'uri', nullable: true },
    payload: { oneOf: [{ type: 'object', additionalProperties: true }, { type: 'string' }] },
  },
  required: ['name'],
  oneOf: [
    { properties: { count: { enum: [1] } }, required: ['count'], additionalProperties: true },
    { properties: { count: { enum: [2] } }, additionalProperties: true },
  ],
};

test.each([
  [{ name: 'x', count: 1, list: ['a'], user: { login: 'y' }, link: null, payload: { z: 1 } }],
  [{ name: 'x', payload: 'text' }],
])('%j is what GitHub describes', (value) => {
  expect(checkValue(value, body, schemas)).toEqual([]);
});

test.each<[unknown, string]>([
  [[], 'it is not of type object'],
  [{}, 'it.name is missing'],
  [{ name: 'longer than five' }, 'it.name is longer than 5'],
  [{ name: 'x', count: 3 }, 'it.count is none of 1'],
  [{ name: 'x', count: 1.5 }, 'it.count is not of type integer'],
  [{ name: 'x', list: ['a', 'b', 'a'] }, 'it.list has 3 items, allowed are 0 to 2'],
  [{ name: 'x', list: ['c'] }, 'it.list[0] is none of a, b'],
  [{ name: 'x', user: { nam: 1 } }, 'it.user.nam is unknown to GitHub'],
  [{ name: 'x', link: 'no address' }, 'it.link is not a valid uri'],
  [{ name: null }, 'it.name is not of type string'],
  [{ name: 'x', other: 1 }, 'it.other is unknown to GitHub'],
])('%j is not: %s', (value, words) => {
  expect(checkValue(value, body, schemas)).toContain(words);
});
