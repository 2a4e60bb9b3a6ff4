import path from 'node:path';
import { expect, test } from 'vitest';
import { inProcess } from '../in-process.ts';
import { copyPipeline, testFolder } from './test-project.ts';

const files = {
  'copy.tran.yaml': copyPipeline,
  'copy.test.yaml':
    'pipeline: copy\ntests: [{ name: copies, given: { staging_orders: { rows: [{ id: 1, day: a, amount: 1, note: b }] } }, expect: { tables: { orders: { count: 1 } } } }]\n',
};

test('results are kept in the user’s folder for caches, in the folder of --cache, or nowhere', async () => {
  using folder = testFolder(files);
  using user = testFolder();
  using other = testFolder({ file: '' });
  const run = async (...args: readonly string[]) => {
    const env = { XDG_CACHE_HOME: user.directory };
    const { code, stdout, stderr } = await inProcess(['test', ...args], { cwd: folder.directory, env });
    expect(code).toBe(0);
    return [stdout.trimEnd().split('\n').at(-1), ...(stderr === '' ? [] : [stderr])];
  };
  const ran = ['1 test: 1 passed, 0 failed, 0 refused.'];
  const cached = ['1 test: 1 passed (1 from the cache), 0 failed, 0 refused.'];
  expect(await run()).toEqual(ran);
  expect(await run()).toEqual(cached);
  expect(user.has('millrace/tests')).toBe(true);
  expect(await run('--no-cache')).toEqual(ran);
  expect(await run('--coverage')).toEqual(cached);
  expect(await run('--allow-python')).toEqual(ran);
  expect(await run('--cache', other.directory)).toEqual(ran);
  expect(await run('--cache', other.directory)).toEqual(cached);
  const blocked = path.join(other.directory, 'file');
  const [line, warning] = await run('--cache', blocked);
  expect(line).toBe(ran[0]);
  expect(warning).toContain(`could not be kept in ${blocked}`);
  const { tests } = JSON.parse(
    (await inProcess(['test', '--json', '--cache', other.directory], { cwd: folder.directory })).stdout,
  ) as { readonly tests: readonly unknown[] };
  expect(tests).toMatchObject([{ name: 'copies', status: 'passed', isCached: true }]);
});

test('a folder inside of the project cannot hold results', async () => {
  using folder = testFolder(files);
  for (const name of ['.', 'cache', '.millrace/cache']) {
    const ended = await inProcess(['test', '--cache', name], { cwd: folder.directory });
    expect([name, ended.code]).toEqual([name, 2]);
    expect(ended.stderr).toContain('a folder inside of the project');
  }
});
