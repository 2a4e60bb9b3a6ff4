import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileCommand, hookCommand, preCommitEntry } from '../../flows/init/hook-text.ts';
import { root } from './repository-files.ts';

interface Hook {
  readonly id: string;
  readonly name: string;
  readonly entry: string;
  readonly language: string;
  readonly files?: string;
  readonly always_run: boolean;
  readonly verbose: boolean;
  readonly pass_filenames: boolean;
}

const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly Hook[];

test('the hooks for pre-commit start the same review and compilation as the hook of `millrace init`', () => {
  const [hook, ...others] = hooks;
  const compile = { id: 'millrace-compile', entry: compileCommand(''), pass_filenames: false };
  expect(others).toEqual([expect.objectContaining({ ...compile, always_run: true, verbose: true })]);
  expect(hook).toMatchObject({ id: 'millrace-review', entry: hookCommand(''), language: 'node' });
  // pre-commit would split a long list of names over several reviews.
  expect(hook?.pass_filenames).toBe(false);
});

test('the hook for pre-commit runs at every commit: pre-commit counts no deleted files', () => {
  expect(hooks[0]).toMatchObject({ always_run: true });
  expect(hooks[0]?.files).toBeUndefined();
});

test('the hook for pre-commit shows what it prints: pre-commit hides the output of a hook that passes', () => {
  expect(hooks[0]).toMatchObject({ verbose: true });
});

test('the entry that `millrace init` prints runs like the hook for pre-commit', () => {
  const [
    {
      hooks: [entry],
    },
  ] = parse(preCommitEntry(hookCommand('')).join('\n')) as [{ readonly hooks: readonly [Hook] }];
  const { id, name, entry: command, pass_filenames, always_run, verbose } = hooks[0] ?? {};
  expect(entry).toMatchObject({ id, name, entry: command, pass_filenames, always_run, verbose });
});
