import type { PlannedTest } from '../files/planned-test.ts';

/** More tests of one file do not go to a process at once: at the end, the others would wait for it. */
const maxUnit = 10;

/** Tests that wait for a process; each goes to one. */
export interface TestQueue {
  /** The next test; undefined if none is left. */
  take(): PlannedTest | undefined;
  /** The next tests of one file, which are read together: fewer and fewer towards the end. Empty if none is left. */
  takeUnit(): readonly PlannedTest[];
}

/**
 * A queue of tests for a number of processes. The process of the command takes single tests from the end, so that the
 * units of the others stay whole; alone, it takes them in their order.
 */
export function openQueue(planned: readonly PlannedTest[], processes: number): TestQueue {
  let [start, end] = [0, planned.length];
  return {
    take() {
      if (start === end) return undefined;
      if (processes === 1) return planned[start++];
      return planned[--end];
    },
    takeUnit() {
      const size = Math.min(maxUnit, Math.ceil((end - start) / (4 * processes)));
      const file = planned[start]?.file;
      const from = start;
      while (start < end && start - from < size && planned[start]?.file === file) start += 1;
      return planned.slice(from, start);
    },
  };
}
