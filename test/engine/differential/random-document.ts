import * as fc from 'fast-check';
import type { Value } from '../../../engine/duckdb/connection/warehouse.ts';

const text = fc.constantFrom<Value>('a', '', "it's", 'ü€', '2', 'say "x"');
const number = fc.constantFrom<Value>(0, 1, 1.5, -2.25, 1000, 12.125);
const nothing = fc.constant<Value>(null);

/** A value that is missing in one of four objects. */
function members(record: Readonly<Record<string, fc.Arbitrary<Value>>>): fc.Arbitrary<Value> {
  const entries = Object.entries(record).map(([key, value]) =>
    fc.option(
      value.map((member): readonly [string, Value] => [key, member]),
      { freq: 3 },
    ),
  );
  return fc.tuple(...entries).map((some) => Object.fromEntries(some.filter((entry) => entry !== null)));
}

function items(item: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.array(item, { maxLength: 3 }) },
    // FLATTEN takes objects too, and nothing else.
    { weight: 1, arbitrary: members({ k: item, l: item }) },
    { weight: 1, arbitrary: fc.oneof(nothing, number) },
  );
}

const line = members({
  sku: text,
  qty: fc.oneof(number, nothing),
  parts: items(fc.oneof(text, nothing)),
});

/** A semi-structured value with the keys that the cases name. */
export const randomDocument: fc.Arbitrary<Value> = members({
  name: fc.oneof(text, nothing),
  price: fc.oneof(
    { weight: 9, arbitrary: number },
    { weight: 2, arbitrary: fc.constantFrom<Value>('3.75', null) },
    { weight: 1, arbitrary: fc.constant<Value>('none') },
  ),
  day: fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom<Value>('2024-02-29', '1999-12-31') },
    { weight: 1, arbitrary: fc.constantFrom<Value>(null, 'never') },
  ),
  ok: fc.oneof(fc.boolean(), nothing),
  'a key': members({ 'b.c': text, w: number }),
  tags: items(fc.oneof(text, number, nothing)),
  lines: items(line),
});
