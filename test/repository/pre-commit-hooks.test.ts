import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { hookCommand } from '../../flows/init/hook-text.ts';
import { root } from './repository-files.ts';

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly files: string;
  readonly pass_filenames: boolean;
}

const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly Hook[];

test('the hook for pre-commit starts the same review as the hook of `millrace init`', () => {
  const [hook, ...others] = hooks;
  expect(others).toEqual([]);
  expect(hook).toMatchObject({ id: 'millrace-review', entry: hookCommand(''), language: 'node' });
  // pre-commit would split a long list of names over several reviews.
  expect(hook?.pass_filenames).toBe(false);
});

test.each([
  ['daily/load.orch.yaml', true],
  ['build.tran.yaml', true],
  ['team/millrace.yaml', true],
  ['.platform/config/pipeline_quality_rules.yaml', true],
  ['daily/load.test.yaml', false],
  ['README.md', false],
])('a change of %s starts the hook for pre-commit: %s', (file, starts) => {
  expect(new RegExp(hooks[0]?.files ?? '').test(file)).toBe(starts);
});
