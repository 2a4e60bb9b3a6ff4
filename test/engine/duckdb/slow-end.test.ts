import type { DuckDBConnection } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Session } from '../../../engine/duckdb/session.ts';
import { StatementGuard } from '../../../engine/duckdb/connection/statement-guard.ts';
import { eventually } from '../../environment/worker/eventually.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A session on a connection whose statements end only when the test lets them, whatever interrupts them. */
function slowSession() {
  const running = new Map<string, PromiseWithResolvers<void>>();
  const begun: string[] = [];
  const slow = (sql: string) => {
    const statement = Promise.withResolvers<void>();
    begun.push(sql);
    running.set(sql, statement);
    return statement.promise;
  };
  const connection = {
    run: (sql: string) => (sql === 'COMMIT' || sql === 'long' ? slow(sql) : void begun.push(sql)),
    interrupt: () => undefined,
    closeSync: () => undefined,
  } as unknown as DuckDBConnection;
  const session = new Session(connection, {
    failures: { kind: 'WAREHOUSE_ONE', memoryLimit: '100MB', hidden: [] },
    guard: new StatementGuard({ memoryLimit: '100MB' }),
    running: { isEnding: false, orderedTypes: new Map() },
  });
  const run = async (sql: string, signal?: AbortSignal) =>
    session.statement(async (on) => void (await on.run(sql)), { signal });
  return { session, run, begun, running };
}

const stopped = { name: 'WarehouseStopped' };

test('an abort does not wait for a commit that takes long; what comes next does', async () => {
  const { session, run, begun, running } = slowSession();
  const mine = new AbortController();
  const restored: string[] = [];
  const save = () => () => void restored.push('restored');
  const transaction = session.transaction(() => run('change', mine.signal), save, mine.signal);
  await eventually(() => running.has('COMMIT')).toBe(true);
  const next = run('next');
  mine.abort();
  await Promise.all([expect(transaction).rejects.toMatchObject(stopped), vi.advanceTimersByTimeAsync(1_000)]);
  expect(begun).toEqual(['BEGIN TRANSACTION', 'change', 'COMMIT']);

  running.get('COMMIT')?.resolve();
  await next;
  expect(begun.at(-1)).toBe('next');
  // The commit took effect.
  expect(restored).toEqual([]);
});

test('an abort does not wait for a statement that no interrupt ends; it is rolled back before what comes next', async () => {
  const { session, run, begun, running } = slowSession();
  const mine = new AbortController();
  const restored: string[] = [];
  const save = () => () => void restored.push('restored');
  const transaction = session.transaction(() => run('long'), save, mine.signal);
  await eventually(() => running.has('long')).toBe(true);
  const next = run('next').then(() => restored.push('next'));
  mine.abort();
  await Promise.all([expect(transaction).rejects.toMatchObject(stopped), vi.advanceTimersByTimeAsync(1_000)]);
  expect(begun).toEqual(['BEGIN TRANSACTION', 'long']);

  running.get('long')?.reject(new Error('interrupted'));
  await next;
  expect(begun).toEqual(['BEGIN TRANSACTION', 'long', 'ROLLBACK', 'next']);
  expect(restored).toEqual(['restored', 'next']);
});

test('a statement that ends soon after an abort is waited for', async () => {
  const { run, running } = slowSession();
  const mine = new AbortController();
  const statement = run('long', mine.signal);
  await eventually(() => running.has('long')).toBe(true);
  mine.abort();
  running.get('long')?.resolve();
  await expect(statement).resolves.toBeUndefined();
});

test('after an abort, a statement is refused at once, also while another one still ends', async () => {
  const { run, begun, running } = slowSession();
  const mine = new AbortController();
  const theirs = run('long');
  await eventually(() => running.has('long')).toBe(true);
  mine.abort();
  await expect(run('late', mine.signal)).rejects.toMatchObject(stopped);
  running.get('long')?.resolve();
  await theirs;
  expect(begun).toEqual(['long']);
});
