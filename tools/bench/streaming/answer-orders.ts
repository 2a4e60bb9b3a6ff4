import process from 'node:process';
import type { Cost, Order } from './programs.ts';

/** Answers the orders of the parent process, which waits for each answer. */
export function answerOrders(work: (order: Order) => Promise<unknown>): void {
  const answer = async (order: Order): Promise<void> => {
    try {
      process.send?.({ value: (await work(order)) ?? null });
    } catch (error) {
      process.send?.({ error: String((error as Error).stack ?? error) });
    }
  };
  process.on('message', (order: Order) => void answer(order));
  process.send?.({ value: null });
}

export async function costOf(work: () => Promise<void>): Promise<Cost> {
  const before = process.cpuUsage();
  const begin = performance.now();
  await work();
  const wallMs = performance.now() - begin;
  const { user, system } = process.cpuUsage(before);
  return { wallMs, cpuMs: (user + system) / 1000 };
}
