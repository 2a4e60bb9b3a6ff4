import type { PlannedTest } from '../files/planned-test.ts';
import type { WorkQueue } from './run-in-process.ts';

/** More tests of one file do not go to a process at once: at the end, the others would wait for it. */
const maxUnit = 10;

/** Tests that wait for a process; each goes to one. */
interface TestQueue extends WorkQueue<PlannedTest> {
  /** The next test; undefined if none is left. */
  take(): PlannedTest | undefined;
  /** The next tests of one file, which are read together: fewer and fewer towards the end. Empty if none is left. */
  takeUnit(): readonly PlannedTest[];
}

/**
 * A queue of tests for several processes. The command's own process takes single tests from the end, so that the
 * other processes get whole units. If there is only one process, it takes them in order.
 */
export function openQueue(planned: readonly PlannedTest[], processes: number): TestQueue {
  let [start, end] = [0, planned.length];
  const takeUnit = () => {
    const size = Math.min(maxUnit, Math.ceil((end - start) / (4 * processes)));
    const file = planned[start]?.file;
    const from = start;
    while (start < end && start - from < size && planned[start]?.file === file) start += 1;
    return planned.slice(from, start);
  };
  return {
    take() {
      if (start === end) return undefined;
      if (processes === 1) return planned[start++];
      return planned[--end];
    },
    takeUnit,
    takeWork() {
      const items = takeUnit();
      const [first] = items;
      if (first === undefined) return undefined;
      const { file } = first.file;
      return {
        items,
        orderOf: (ids) => ({
          kind: 'run',
          unit: { file, tests: items.map(({ test }, index) => ({ id: ids[index] ?? 0, name: test.name })) },
        }),
      };
    },
    describe(tests) {
      const [first] = tests;
      const names = tests.map(({ test }) => `"${test.name}"`).join(', ');
      return {
        what: `these tests of ${first?.file.file ?? ''} ended: ${names}`,
        ...(first === undefined ? {} : { where: { file: first.file.file, line: first.test.place.line } }),
      };
    },
  };
}
