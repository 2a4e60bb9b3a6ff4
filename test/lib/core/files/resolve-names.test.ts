import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resolveNames } from '../../../../lib/core/files/resolve-names.ts';

let folder: string;
let real: string;
let link: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-names-')));
  [real, link] = [path.join(folder, 'real'), path.join(folder, 'link')];
  mkdirSync(path.join(real, 'daily'), { recursive: true });
  symlinkSync(real, link);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const paths = ['daily/a.orch.yaml', 'b.tran.yaml'];
const resolve = (name: string, { cwd = real, root = real } = {}) =>
  resolveNames([name], { cwd, root, paths, candidates: paths, what: 'pipeline', hint: '' });

test('a path through a symbolic link is a file of the project, as each temporary folder of macOS', async () => {
  for (const root of [real, link])
    for (const cwd of [real, link, path.join(link, 'daily')])
      for (const top of [real, link]) {
        expect(await resolve(path.join(top, 'daily/a.orch.yaml'), { cwd, root })).toEqual([
          'daily/a.orch.yaml',
        ]);
        expect(await resolve(path.join(top, 'daily'), { cwd, root })).toEqual(['daily/a.orch.yaml']);
        expect(await resolve(path.join(top, 'daily/*.yaml'), { cwd, root })).toEqual(['daily/a.orch.yaml']);
        expect(await resolve(path.join(top, '**/*.tran.yaml'), { cwd, root })).toEqual(['b.tran.yaml']);
      }
});

test('the top of the project behind a link means all of it, and what does not exist stays as it is', async () => {
  expect(await resolve(link)).toEqual(paths);
  expect(await resolve(path.join(link, 'no/such.orch.yaml'))).toEqual(['../link/no/such.orch.yaml']);
  expect(await resolve('daily/none.orch.yaml')).toEqual(['daily/none.orch.yaml']);
});
