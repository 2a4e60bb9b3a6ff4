import { expect, test } from 'vitest';
import { createCliEnvironment } from '../cli-environment.ts';

test('drift compares each environment with the tags, and ends with 1 if a version has no tag', async () => {
  await using testEnvironment = await createCliEnvironment();
  testEnvironment.work.git('tag', 'v1');
  const publish = (version: string) =>
    testEnvironment.run(['publish', '--version', version, '--environment', 'dev', '--commit', 'HEAD']);
  await publish('v1');

  const good = await testEnvironment.run(['drift', '--environment', 'dev']);
  expect(good).toMatchObject({
    code: 0,
    stdout:
      'Environments\n  environment  live  status\n  dev          v1    up to date\n\nnewest release: v1\n1 environment compared: all match the tags.\n',
  });

  await publish('hotfix');
  const bad = await testEnvironment.run(['drift', '--environment', 'dev', 'test']);
  expect(bad.code).toBe(1);
  expect(bad.stdout).toMatch(
    /^ {2}dev +hotfix +its live version has no release tag\n {2}test +no version is enabled$/m,
  );
  expect(bad.stdout).toMatch(/^ {2}dev +hotfix +no tag with this name +[0-9a-f]{40}$/m);
  expect(bad.stdout).toContain(
    '2 environments compared: 1 unknown version is enabled, 0 environments are behind.',
  );

  const json = await testEnvironment.run(['drift', '--fail-on', 'never', '--json']);
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({ outcome: 'passed', newest: 'v1' });
});
