import { expect, test } from 'vitest';
import { readTestFile } from '../../../flows/pipeline-tests/files/read-test-file.ts';
import { textsBeside } from '../../flows/pipeline-tests/run/texts-beside.ts';
import { codeBlocks } from '../code-blocks.ts';
import { testFolder } from './test-project.ts';

const blocks = (language: string) => codeBlocks('testing.md', language);

test('the first test of docs/testing.md fails as the page shows, and passes after the correction', async () => {
  const [pipeline = '', first = ''] = blocks('yaml');
  using folder = testFolder({ 'build-orders.tran.yaml': pipeline, 'build-orders.test.yaml': first });
  const command = '$ npx millrace test\n';
  const withoutTime = (text: string) => text.replaceAll(/\d+ ms/g, '? ms').trim();
  const shown = blocks('').find((text) => text.startsWith(command)) ?? '';
  const failed = await folder.run();
  expect(failed.code).toBe(1);
  expect(withoutTime(failed.stdout)).toBe(withoutTime(shown.replace(command, '')));
  folder.write('build-orders.tran.yaml', pipeline.replace('Greater than', 'Greater than or equal to'));
  const passed = await folder.run();
  const [, shownPassed = ''] = blocks('').filter((text) => text.startsWith(command));
  expect(withoutTime(passed.stdout)).toBe(withoutTime(shownPassed.replace(command, '')));
});

test('the form that docs/testing.md shows is a valid test file', async () => {
  const [, , form = ''] = blocks('yaml');
  const files: Readonly<Record<string, string>> = {
    'schemas.yaml': 'orders: { id: NUMBER }\n',
    'fixtures/customers.csv': 'id\n1\n',
  };
  const file = await readTestFile(form, 'a.test.yaml', { findFile: textsBeside(files) });
  expect(file.tests).toHaveLength(1);
});
