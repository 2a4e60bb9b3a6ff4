import { expect, test } from 'vitest';
import { setupFile } from '../../flows/provision/setup-file.ts';
import { createCliEnvironment } from '../cli-environment.ts';

test('provision shows a plan, creates the project, and reports the result by its exit code', async () => {
  await using testEnvironment = await createCliEnvironment();
  testEnvironment.work.write('setup.yaml', setupFile);
  const run = (...args: string[]) => testEnvironment.run(['provision', 'setup.yaml', ...args]);

  const plan = await run('--plan');
  expect(plan).toMatchObject({ code: 0 });
  expect(plan.stdout).toMatch(/^\+ project shop\n[^]*\n6 to create, 0 existing, 0 different\.\n$/);
  const made = await run();
  expect(made.code).toBe(0);
  expect(made.stdout).toMatch(
    /\n6 created, 0 existing, 0 different\.\nProject id, for millrace\.yaml: [0-9a-f-]{36}\n$/,
  );
  const again = await run('--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'nothing-to-do', applied: true, warnings: [] });

  testEnvironment.work.write(
    'setup.yaml',
    setupFile.replace('The shop', 'Shop\u001b[31m').replace('      shop-prod:', '      shop-dev:'),
  );
  const other = await run('--dry-run');
  expect(other.code).toBe(1);
  expect(other.stdout).toContain('! project shop: description is "The shop" on the platform, "Shop');
  expect(other.stdout).not.toContain('\u001b');
  expect(other.stderr).toContain('warning: setup.yaml:27:7: dev and prod share the connection shop-dev');

  testEnvironment.work.write('setup.yaml', setupFile.replace('{ secretName: dev-key }', 'hunter22'));
  const secret = await testEnvironment.run(['provision', 'setup.yaml'], { MILLRACE_TOKEN: '' });
  expect(secret.code).toBe(2);
  expect(secret.stderr).toContain('setup.yaml:21:21: `privateKey` must be a reference, { secretName: … }');
  expect(secret.stdout + secret.stderr).not.toContain('hunter22');
});
