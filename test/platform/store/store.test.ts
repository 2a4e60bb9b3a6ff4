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

test('a transaction inside another one stands and falls with it', () => {
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
