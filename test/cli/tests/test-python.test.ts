import { expect, test } from 'vitest';
import { executable, isPythonMissing, why } from '../../engine/python/python-here.ts';
import { testFolder } from './test-project.ts';

/** Counts in Python, and writes a file beside the pipeline where it can. */
const files = (folder: string) => ({
  'count.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { success: [Count] } }
    Count:
      type: python-script
      parameters:
        script: |
          try:
            open("${folder}/marker", "w")
          except OSError:
            pass
          context.updateVariable("count", count + 1)
  variables:
    count: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 4 }
`,
  'count.test.yaml': `pipeline: count
tests:
  - name: counts
    expect: { variables: { count: 5 } }
`,
});

function countFolder() {
  const folder = testFolder();
  for (const [name, text] of Object.entries(files(folder.directory))) folder.write(name, text);
  return folder;
}

test('without --allow-python, a test with a Python component is refused and nothing of it runs', async () => {
  using folder = countFolder();
  const { code, stdout } = await folder.run();
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /count\.orch\.yaml:4:5 {2}component "Count": Millrace does not support the component type python-script; allow Python with --allow-python, or mock/,
  );
  expect(folder.has('marker')).toBe(false);
});

test.skipIf(isPythonMissing)(`with --allow-python, the component runs, also for --init${why}`, async () => {
  using folder = countFolder();
  const allowed = ['--allow-python', '--python', executable];
  expect(await folder.run(...allowed)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 passed'),
  });
  const { stdout } = await folder.run('--find-rows', '0s', '--init', 'count', '--dry-run', ...allowed);
  expect(stdout).toContain('count: 5');
  expect(stdout).not.toContain('mock:');
});

const letters = (script: string, place: 'in the component' | 'in a file') => ({
  ...(place === 'in a file' ? { 'python/l.py': script } : {}),
  'p.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { success: [Write] } }
    Write:
      type: python-script
      parameters: ${JSON.stringify(place === 'in a file' ? { pythonScriptLocation: 'python/l.py' } : { script })}
  variables:
    v: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: x }
`,
  'p.test.yaml': 'pipeline: p\ntests: [{ name: letters, expect: { variables: { v: é } } }]\n',
});

test.skipIf(isPythonMissing)(`a script that names another encoding than UTF-8 is refused${why}`, async () => {
  const allowed = ['--allow-python', '--python', executable];
  const update = 'context.updateVariable("v", "é")\n';
  const ofFile = async (script: string, place: Parameters<typeof letters>[1] = 'in a file') => {
    using folder = testFolder();
    for (const [name, text] of Object.entries(letters(script, place))) folder.write(name, text);
    return (await folder.run(...allowed)).stdout;
  };
  const refusal =
    'python/l.py:1:15  component "Write": Millrace does not support the encoding "latin-1" of a script; the script is read as UTF-8: write `# coding: utf-8`, or remove the comment, or mock the component';
  expect(await ofFile(`# -*- coding: latin-1 -*-\n${update}`)).toContain(refusal);
  expect(await ofFile(`# vim: fileencoding=cp1252\n${update}`, 'in the component')).toContain(
    'does not support the encoding "cp1252"',
  );
  expect(await ofFile(`#!/bin/x\n# coding=utf_8\n${update}`)).toContain('1 passed');
});

test('--python without --allow-python is wrong use, so that nobody relies on it', async () => {
  using folder = countFolder();
  const { code, stderr } = await folder.run('--python', 'python3');
  expect(code).toBe(2);
  expect(stderr).toContain('--python has no effect without --allow-python.');
});

test.skipIf(isPythonMissing)(`a test that ran Python runs again each time${why}`, async () => {
  using folder = countFolder();
  using cache = testFolder();
  const allowed = ['--allow-python', '--python', executable, '--cache', cache.directory];
  for (const _ of [1, 2]) {
    const { stdout } = await folder.run(...allowed);
    expect(stdout).toContain('1 test: 1 passed, 0 failed');
  }
});
