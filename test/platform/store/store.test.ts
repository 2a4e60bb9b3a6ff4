import { expect, test } from 'vitest';
import { openStore } from '../../../platform/store/store.ts';

const insert = (key: string) => ['INSERT INTO setting (key, value) VALUES (?, ?)', key, '{}'] as const;

test('what a failed transaction wrote is taken back, and the next one works', () => {
  const store = openStore(':memory:');
  expect(() =>
    store.transaction(() => {
      store.run(...insert('a'));
      throw new Error('in the middle');
    }),
  ).toThrow('in the middle');
  store.transaction(() => store.run(...insert('b')));
  expect(store.all('SELECT key FROM setting')).toEqual([{ key: 'b' }]);
  store.close();
});

test('a nested transaction commits and rolls back with the outer one', () => {
  const store = openStore(':memory:');
  expect(() =>
    store.transaction(() => {
      store.transaction(() => store.run(...insert('a')));
      throw new Error('after the inner one');
    }),
  ).toThrow('after the inner one');
  expect(store.all('SELECT key FROM setting')).toEqual([]);
  store.close();
});

test('the database itself refuses a second unfinished execution of a tag (§4.4 rule 2)', () => {
  const store = openStore(':memory:');
  store.run(`INSERT INTO project (id, name, warehouse, invited) VALUES ('p', 'p', 'W', 1)`);
  const start = (id: string, finished: number) =>
    store.run(`INSERT INTO execution VALUES (?, 'p', 'dev', '1', 'tag', ?, '{}')`, id, finished);
  start('a', 1);
  start('b', 0);
  expect(() => start('c', 0)).toThrow('UNIQUE');
  store.close();
});

test('what is read twice is what was written last: after a write, a failed one, and an emptying', () => {
  const store = openStore(':memory:');
  const keys = () => store.all<{ key: string }>('SELECT key FROM setting ORDER BY key').map(({ key }) => key);
  expect([keys(), keys()]).toEqual([[], []]);
  store.run(...insert('a'));
  expect([keys(), keys()]).toEqual([['a'], ['a']]);
  expect(() =>
    store.transaction(() => {
      store.run(...insert('b'));
      expect(keys()).toEqual(['a', 'b']);
      throw new Error('in the middle');
    }),
  ).toThrow('in the middle');
  expect(keys()).toEqual(['a']);
  store.transaction(() => store.clear());
  expect(keys()).toEqual([]);
  store.close();
});

test('the first row and all rows of the same words are two questions, as are a number and its text', () => {
  const store = openStore(':memory:');
  store.run(...insert('1'));
  store.run(...insert('2'));
  const sql = 'SELECT key FROM setting ORDER BY key';
  expect(store.get(sql)).toEqual({ key: '1' });
  expect(store.all(sql)).toHaveLength(2);
  expect(store.get(sql)).toEqual({ key: '1' });
  const typed = (value: string | number | null) =>
    store.get<{ type: string }>('SELECT typeof(?) AS type', value)?.type;
  for (let round = 0; round < 2; round += 1) {
    expect(typed('1')).toBe('text');
    expect(typed(1)).not.toBe('text');
    expect(typed(null)).toBe('null');
    expect(typed('n;')).toBe('text');
  }
  store.close();
});

test('more questions than are kept are answered all the same', () => {
  const store = openStore(':memory:');
  for (let round = 0; round < 2; round += 1)
    for (let i = 0; i < 1200; i += 1) expect(store.get<{ n: number }>('SELECT ? AS n', i)).toEqual({ n: i });
  store.close();
});
