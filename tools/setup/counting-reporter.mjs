import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { clone } from './clone.mjs';

/**
 * A vitest reporter that counts tests and names each failure. An error outside a test (import, hook, unhandled rejection)
 * counts as a failure.
 */
export default class CountingReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
    const addFailure = (place, errors = []) => {
      counts.failed += 1;
      counts.failures.push([place, firstLine(errors)].filter((part) => part !== '').join(': '));
    };
    for (const error of unhandledErrors) addFailure('outside of a test', [error]);
    for (const module of modules) {
      const before = counts.failed;
      const file = relative(clone, module.moduleId);
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed') counts.passed += 1;
        else if (state === 'failed') addFailure(`${file} > ${test.fullName}`, errors);
        else counts.skipped += 1;
      }
      if (module.state() === 'failed' && counts.failed === before) addFailure(file, errorsOf(module));
    }
    const counted = process.env.MILLRACE_TEST_COUNTS;
    if (counted !== undefined) writeFileSync(counted, JSON.stringify(counts));
  }
}

/** Errors of a file and of the hooks of its suites. */
function errorsOf(module) {
  return [module, ...module.children.allSuites()].flatMap((part) => part.errors());
}

function firstLine([error]) {
  return error === undefined ? '' : String(error.message).trim().split('\n', 1)[0].slice(0, 200);
}
