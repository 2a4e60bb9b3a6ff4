import { writeFileSync } from 'node:fs';

/** A vitest reporter that counts tests. An error outside a test (import, hook, unhandled rejection) counts as a failure. */
export default class CountingReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      const before = counts.failed;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') counts.passed += 1;
        else if (state === 'failed') counts.failed += 1;
        else counts.skipped += 1;
      }
      if (module.state() === 'failed' && counts.failed === before) counts.failed += 1;
    }
    const file = process.env.MILLRACE_TEST_COUNTS;
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
  }
}
