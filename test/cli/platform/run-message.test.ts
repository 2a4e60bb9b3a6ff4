import { expect, test } from 'vitest';
import { createCliEnvironment } from '../cli-environment.ts';

test('`millrace run` shows each line of a message on a line of its own', async () => {
  await using testEnvironment = await createCliEnvironment({
    executions: [{ pipeline: 'daily/load', outcome: 'failure', message: 'Traceback:\n  line 3' }],
  });
  await testEnvironment.run(['publish', '--version', '1.0.0', '--environment', 'dev']);
  const { code, stdout } = await testEnvironment.run(['run', 'daily/load', '--environment', 'dev']);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^The platform says:\n {2}Pipeline "daily\/load\.orch\.yaml" failed: Traceback:\n {4}line 3\n.*\ndaily\/load in dev ended: FAILED\.\n$/s,
  );
  expect(stdout).not.toContain(String.raw`\n`);
});
