import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { jsonList } from '../../../../actions/kit/step/json-list.ts';
import { createWaitingLog } from '../../../../actions/kit/step/waiting-log.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('each minute without a line, the log says for what the step waits and how long', () => {
  const lines: string[] = [];
  const waiting = createWaitingLog((line) => lines.push(line));
  vi.advanceTimersByTime(300_000);
  expect(lines).toEqual([]);

  waiting.step('Starting daily/load in dev');
  vi.advanceTimersByTime(150_000);
  const still = (seconds: number) =>
    `Still waiting, without news for ${String(seconds)} s: Starting daily/load in dev`;
  expect(lines).toEqual(['Starting daily/load in dev', still(60), still(120)]);

  waiting.log('warning: something');
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(3)).toEqual(['warning: something', still(60)]);

  waiting.stop();
  vi.advanceTimersByTime(600_000);
  expect(lines).toHaveLength(5);
});

test('a list for a matrix is JSON, and empty where it would be cut', () => {
  expect(jsonList(['dev', 'a "b"'])).toBe('["dev","a \\"b\\""]');
  expect(jsonList([])).toBe('[]');
  expect(jsonList(Array.from({ length: 1000 }, () => 'pipelines/x.orch.yaml'))).toBe('');
});
