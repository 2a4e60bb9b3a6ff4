import { expect, test } from 'vitest';
import { findKey, isOwnKey } from '../../../flows/diff/find-key.ts';

type Rows = readonly (readonly string[])[];

const keyOf = (names: readonly string[], before: Rows, after: Rows, wanted?: readonly string[]) =>
  findKey({ names, before, after, candidates: names.map((_, place) => place) }, wanted)?.map(
    (place) => names[place],
  );

test('a column named like a key is the key if it finds a row again', () => {
  expect(
    keyOf(
      ['id', 'amount'],
      [
        ['1', '5'],
        ['2', '6'],
      ],
      [
        ['2', '5'],
        ['3', '6'],
      ],
    ),
  ).toEqual(['id']);
  expect(
    keyOf(
      ['id', 'email'],
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
      [
        ['8', 'a'],
        ['9', 'b'],
      ],
    ),
  ).toEqual(['email']);
});

test('of others, the one with which most rows meet again is the key', () => {
  expect(
    keyOf(
      ['amount', 'name'],
      [
        ['5', 'a'],
        ['6', 'b'],
      ],
      [
        ['7', 'a'],
        ['6', 'b'],
      ],
    ),
  ).toEqual(['name']);
});

test('a column that counts the rows is the key only where there is no other', () => {
  const numbered = (names: readonly string[]) => names.map((name, index) => [`number:${index + 1}`, name]);
  expect(keyOf(['place', 'name'], numbered(['a', 'b', 'c']), numbered(['b', 'c', 'd']))).toEqual(['name']);
  expect(keyOf(['customer', 'total'], numbered(['5', '5', '7']), numbered(['5', '5', '8']))).toEqual([
    'customer',
  ]);
});

test('a column named like a key goes before one that comes first', () => {
  expect(keyOf(['name', 'customer_id'], [['a', '1']], [['a', '1']])).toEqual(['customer_id']);
  expect(keyOf(['name', 'customerId'], [['a', '1']], [['a', '1']])).toEqual(['customerId']);
});

test('two columns named like keys go before one other that is unique by chance', () => {
  const rows = [
    ['1', 'a', '7'],
    ['1', 'b', '8'],
    ['2', 'a', '9'],
  ];
  expect(keyOf(['order_id', 'product_id', 'quantity'], rows, rows)).toEqual(['order_id', 'product_id']);
});

test('three columns are a key together, with null among the values', () => {
  const rows = ['1', '2', 'null'].flatMap((a) => ['1', '2'].flatMap((b) => ['1', '2'].map((c) => [a, b, c])));
  expect(keyOf(['a', 'b', 'c'], rows, rows)).toEqual(['a', 'b', 'c']);
});

test('the primary key counts where it is unique', () => {
  expect(keyOf(['id', 'b'], [['1', '2']], [['1', '2']], ['b'])).toEqual(['b']);
  expect(
    keyOf(
      ['id', 'b'],
      [
        ['1', '2'],
        ['2', '2'],
      ],
      [['1', '2']],
      ['b'],
    ),
  ).toEqual(['id']);
});

test('there is no key where no value is on both sides, or where equal rows occur', () => {
  expect(keyOf(['id'], [['1']], [['2']])).toBeUndefined();
  expect(keyOf(['id'], [['1'], ['1']], [['1']])).toBeUndefined();
  expect(keyOf(['id'], [], [['1']])).toBeUndefined();
});

test('the result of an aggregation is not a key', () => {
  expect(
    keyOf(
      ['count_order_id', 'day'],
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
    ),
  ).toEqual(['day']);
});

test.each([
  ['id', 'orders', true],
  ['ORDER_ID', 'ORDERS', true],
  ['product_id', 'orders', false],
  ['orders', 'orders', false],
  ['PAID', 'payments', false],
  ['customer_id', 'customer_orders', false],
  ['category_id', 'CATEGORIES', true],
  ['no', 'orders', false],
  ['orderId', 'salesOrders', true],
])('%s is the own key of %s: %s', (name, table, expected) => {
  expect(isOwnKey(name, table)).toBe(expected);
});
