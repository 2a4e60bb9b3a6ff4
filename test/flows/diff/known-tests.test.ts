import { expect, test } from 'vitest';
import type { BaseProject } from '../../../flows/diff/base-project.ts';
import { diffData } from '../../../flows/diff/diff-data.ts';
import { overlayProject } from '../../../flows/pipeline-tests/files/overlay-project.ts';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { runTests } from '../../../flows/pipeline-tests/run/run-tests.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { testFolder } from '../../cli/tests/test-project.ts';
import { reader } from '../pipeline-tests/cache/cached-project.ts';

test('a data diff of known tests needs no engine', async () => {
  using folder = testFolder({
    'a.tran.yaml': reader('A'),
    'a.test.yaml':
      'pipeline: a\ntests: [{ name: one, given: { A: { rows: [{ ID: 1 }] } }, expect: { tables: { COPY: { count: 1 } } } }]\n',
    'b.tran.yaml': reader('B'),
  });
  using kept = testFolder();
  const cache = { folder: kept.directory, program: 'one', now: 0, onFailure: () => expect.fail() };
  const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  const context = { clock: systemClock, signal: new AbortController().signal };
  const files = ['a.test.yaml'];
  const base = (file: string, text: string): BaseProject => ({
    name: 'main',
    commit: '0'.repeat(40),
    isFork: false,
    project: overlayProject(project, { contents: new Map([[file, Buffer.from(text)]]) }),
    isOther: true,
    renamed: new Map(),
    changed: new Map([[file, 'changed']]),
    submodules: [],
    unknown: new Map(),
  });
  const diff = (other: BaseProject, options: { readonly isKnown?: boolean } = {}) =>
    diffData(
      {
        project,
        base: other,
        files,
        isPartial: false,
        jobs: 1,
        // A folder without the engine: whatever runs fails.
        packages: kept.directory,
        ...(options.isKnown === false ? {} : { cache }),
      },
      context,
    );
  await runTests({ project, files, jobs: 1, withCoverage: false, cache }, context);

  const unread = base('b.tran.yaml', reader('C'));
  expect(await diff(unread)).toMatchObject({
    tests: 1,
    compared: 0,
    changes: [],
    untested: [{ file: 'b.tran.yaml', change: 'changed' }],
  });
  await expect(diff(unread, { isKnown: false })).rejects.toMatchObject({ code: 'engine-missing' });
  await expect(diff(base('a.tran.yaml', reader('B')))).rejects.toMatchObject({ code: 'engine-missing' });
  const unknown = new Map(['a.tran.yaml', 'a.test.yaml'].map((path) => [path, 'is ignored by git']));
  expect((await diff({ ...unread, unknown })).changes).toMatchObject([
    { name: 'one', status: 'not-compared', reason: 'it runs with a.tran.yaml, which is ignored by git' },
  ]);
});
