import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Cell, Tuple } from '../../../../platform/streaming/source/messages.ts';
import { type NetChanges, RowLog } from '../../../../platform/streaming/target/row-log.ts';

const keyed = { key: [0], width: 3, read: (cell: Cell) => cell ?? null, deleted: undefined };
const marked = { ...keyed, deleted: { no: false, yes: true } };

type Rows = Map<string, readonly unknown[]>;

const keyText = (value: unknown) => value as string;

/** Applies net changes as the warehouse does. */
function applyNet(
  rows: Rows,
  { isEmptied, removed, added, completed }: NetChanges,
  keepsDeleted: boolean,
): void {
  const before = new Map(rows);
  if (isEmptied && !keepsDeleted) rows.clear();
  if (isEmptied && keepsDeleted) for (const [key, row] of rows) rows.set(key, [...row.slice(0, -1), true]);
  const complete = completed.flatMap(({ kept, rows: list }) =>
    list.map(({ origin, values }) => {
      const old = before.get(keyText(origin[0]));
      if (old === undefined) throw new Error(`no row ${keyText(origin[0])}`);
      return values.map((value, place) => (kept.includes(place) ? old[place] : value));
    }),
  );
  for (const [key] of removed) rows.delete(keyText(key));
  for (const row of [...added, ...complete]) {
    expect(rows.has(String(row[0]))).toBe(false);
    rows.set(String(row[0]), row);
  }
}

interface Step {
  readonly kind: 'insert' | 'update' | 'move' | 'delete' | 'truncate' | 'flush';
  readonly key: number;
  readonly other: number;
  readonly value: string;
  /** Whether the large value stays. */
  readonly isKept: boolean;
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('insert', 'insert', 'update', 'update', 'move', 'delete', 'truncate', 'flush'),
    key: fc.nat(4),
    other: fc.nat(4),
    value: fc.string({ maxLength: 2 }),
    isKept: fc.boolean(),
  }) satisfies fc.Arbitrary<Step>,
  { maxLength: 40 },
);

test.each([
  ['COPY_TABLE', keyed],
  ['COPY_TABLE_SOFT_DELETE', marked],
] as const)(
  '%s: what is left of any changes gives the rows that the changes one by one give',
  (_, reader) => {
    const keepsDeleted = reader.deleted !== undefined;
    fc.assert(
      fc.property(steps, (list) => {
        const source = new Map<string, readonly string[]>();
        const gone: Rows = new Map();
        const target: Rows = new Map();
        let log = new RowLog(reader);
        const forget = (key: string) => {
          const row = source.get(key);
          if (row !== undefined) gone.set(key, [...row, true]);
          source.delete(key);
        };
        for (const { kind, key: number, other: second, value, isKept } of list) {
          const [key, other] = [String(number), String(second)];
          const old = source.get(key);
          const large = isKept ? old?.[2] : value;
          if (kind === 'insert' && old === undefined) {
            source.set(key, [key, value, 'large']);
            gone.delete(key);
            log.insert([key, value, 'large']);
          } else if (kind === 'update' && old !== undefined) {
            source.set(key, [key, value, large ?? '']);
            log.update(undefined, [key, value, isKept ? undefined : value]);
          } else if (kind === 'move' && old !== undefined && !source.has(other)) {
            forget(key);
            source.set(other, [other, value, large ?? '']);
            gone.delete(other);
            log.update([key, null, null], [other, value, isKept ? undefined : value]);
          } else if (kind === 'delete' && old !== undefined) {
            forget(key);
            log.delete([key, null, null]);
          } else if (kind === 'truncate') {
            for (const each of source.keys()) forget(each);
            log.truncate();
          } else if (kind === 'flush') {
            applyNet(target, log.net(), keepsDeleted);
            log = new RowLog(reader);
          }
        }
        applyNet(target, log.net(), keepsDeleted);
        const expected: Rows = new Map(
          [...source].map(([key, row]) => [key, keepsDeleted ? [...row, false] : row]),
        );
        if (keepsDeleted) for (const [key, row] of gone) expected.set(key, row);
        const sorted = (rows: Rows) => [...rows].toSorted(([one], [two]) => one.localeCompare(two));
        expect(sorted(target)).toEqual(sorted(expected));
      }),
      { numRuns: 2000, seed: 43 },
    );
  },
);

test('without a key, rows are counted: equal rows, NULL and the empty text are different', () => {
  const log = new RowLog({ ...keyed, key: [] });
  const row = (...cells: readonly Cell[]): Tuple => cells;
  log.insert(row('', null, 'a'));
  log.insert(row('', null, 'a'));
  log.insert(row(null, '', 'a'));
  log.delete(row(null, null, null));
  log.update(row('x', 'y', 'z'), row('', null, 'a'));
  log.delete(row(null, '', 'a'));
  const { added, removed, isEmptied } = log.net();
  expect(isEmptied).toBe(false);
  expect(added).toEqual([
    ['', null, 'a'],
    ['', null, 'a'],
    ['', null, 'a'],
  ]);
  expect(removed).toEqual([
    [null, null, null],
    ['x', 'y', 'z'],
  ]);
});
