import { expect, test } from 'vitest';
import { findMutant, mutate } from '../../../flows/mutation/run/mutate.ts';
import { mutantText } from '../../../flows/mutation/run/mutants.ts';
import { testFiles } from '../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { addRowsFor } from '../../../flows/row-search/rows-for-changes.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { testFolder } from '../../cli/tests/test-project.ts';
import { rowProject } from './row-project.ts';

const context = { clock: systemClock, signal: new AbortController().signal };

test.each(['WAREHOUSE_ONE', 'WAREHOUSE_TWO'] as const)(
  'a test with the offered rows notices the change in %s, and the others of its file stay',
  async (kind) => {
    using folder = testFolder(rowProject(kind));
    const open = () => openTestProject(folder.directory, kind);
    const run = (seed = 1) => {
      const project = open();
      return mutate(
        { project, files: testFiles(project), jobs: 2, seed, equal: [], filter: undefined },
        context,
      );
    };
    const before = await run();
    expect(before.notNoticed).toBeGreaterThan(20);
    const missed: string[] = [];
    for (const { id, component = '', before: old, after, verdict } of before.changes) {
      if (verdict !== 'not-noticed') continue;
      const project = open();
      const mutant = await findMutant(id, { project, files: testFiles(project), jobs: 2 }, context);
      const added = mutant && (await addRowsFor(mutant, { project, seed: 1, budgetMs: 60_000 }, context));
      // The rows for an earlier change may show this one too.
      if (added !== undefined && 'reason' in added && added.reason.endsWith('notices it already')) continue;
      if (mutant === undefined || added === undefined || 'reason' in added)
        missed.push(`${component}: ${old} → ${after}`);
      else {
        expect(added.before).toBe(project.text(added.file));
        expect(added.after.startsWith(added.before)).toBe(true);
        folder.write(added.file, added.after);
        // The same by hand: the test passes with the file as it is, and fails with the edited one.
        const { file } = mutant.fault;
        const text = project.text(file) ?? '';
        expect([id, (await folder.run(added.file, '--filter', added.name)).code]).toEqual([id, 0]);
        folder.write(file, mutantText(mutant.fault, project));
        expect([id, (await folder.run(added.file, '--filter', added.name)).code]).toEqual([id, 1]);
        folder.write(file, text);
      }
    }
    const after = await run();
    expect(after.failed).toEqual([]);
    const left = after.changes.filter(({ verdict }) => verdict === 'not-noticed');
    expect(left.map(({ component, before: old, after: now }) => `${component}: ${old} → ${now}`)).toEqual(
      missed,
    );
    expect(missed).toEqual([]);
  },
);
