import { expect, test } from 'vitest';
import { createCliEnvironment } from '../cli-environment.ts';

test('variables diff and apply read files and standard input, and report the result by the exit code', async () => {
  await using testEnvironment = await createCliEnvironment();
  testEnvironment.work.write(
    'variables.yaml',
    'version: 1\nvariables:\n  day: { type: TEXT, behaviour: SHARED, value: today }\n',
  );
  testEnvironment.work.write('prod.yaml', 'version: 1\nenvironments:\n  prod: { day: tomorrow }\n');
  const files = ['variables.yaml', 'prod.yaml'];

  const diff = await testEnvironment.run(['variables', 'diff', ...files, '--exit-code']);
  expect(diff).toMatchObject({
    code: 1,
    stdout:
      '+ day (TEXT, SHARED) = "today"\n+ day in prod = "tomorrow"\n2 to add, 0 to change, 0 to delete.\n',
  });
  const dry = await testEnvironment.run(['variables', 'apply', ...files, '--dry-run']);
  expect(dry).toMatchObject({ code: 0, stdout: diff.stdout });

  const applied = await testEnvironment.run(['variables', 'apply', ...files]);
  expect(applied).toMatchObject({ code: 0, stdout: `${diff.stdout}2 added, 0 changed, 0 deleted.\n` });
  const again = await testEnvironment.run(['variables', 'diff', ...files, '--exit-code', '--json']);
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'nothing-to-do', changes: [] });

  testEnvironment.work.write('wrong.yaml', 'version: 1\nenvironments:\n  prod:\n    day: 5\n');
  const wrong = await testEnvironment.run(['variables', 'apply', 'wrong.yaml']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('wrong.yaml:4:10: The value of "day" in prod does not fit its type TEXT.');
  expect(wrong.stderr).toContain('Put the value into quotes.');
});

test('variables apply prints the plan before the changes, even if the platform then refuses one', async () => {
  await using testEnvironment = await createCliEnvironment();
  const text = 'version: 1\nvariables:\n  day: { type: TEXT, behaviour: SHARED, value: "1" }\n';
  testEnvironment.work.write('variables.yaml', `${text}environments:\n  prod: { day: "2" }\n`);
  await testEnvironment.run(['variables', 'apply', 'variables.yaml']);

  testEnvironment.work.write('variables.yaml', text.replace('TEXT', 'NUMBER').replace('"1"', '1'));
  const refused = await testEnvironment.run(['variables', 'apply', 'variables.yaml']);
  expect(refused.code).toBe(2);
  expect(refused.stdout).toContain('~ day\n    type: "TEXT" → "NUMBER"\n');
  expect(refused.stderr).toContain('variables.yaml:3:3: The platform refused the variable "day"');
  expect(refused.stderr).toContain('first delete the values in environments that do not fit it');
});

test.each(['9007199254740993', '0.1234567890123456789', '123456789012345678901234567890', '1e400'])(
  'variables apply refuses %s, a NUMBER with more digits than it can pass on',
  async (number) => {
    await using testEnvironment = await createCliEnvironment();
    const entry = `  rate: { type: NUMBER, behaviour: SHARED, value: ${number} }\n`;
    testEnvironment.work.write('variables.yaml', `version: 1\nvariables:\n${entry}`);
    const { code, stderr } = await testEnvironment.run(['variables', 'apply', 'variables.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain('variables.yaml:3:');
    expect(stderr).toContain(`The number ${number} has too many digits: it would be read as `);
  },
);
