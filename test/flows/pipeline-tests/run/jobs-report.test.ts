import { expect, test } from 'vitest';
import { linesOf } from '../../../../cli/tests/report-tests.ts';
import { testFiles } from '../../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { runTests } from '../../../../flows/pipeline-tests/run/run-tests.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { mixedProject } from '../mixed-project.ts';
import { testFolder } from '../../../cli/tests/test-project.ts';

test('two jobs report what one job reports, in every format', async () => {
  using folder = testFolder(mixedProject);
  const reportWith = async (jobs: number) => {
    const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
    const request = { project, files: testFiles(project), jobs, withCoverage: true };
    const context = { clock: systemClock, signal: new AbortController().signal };
    const report = await runTests(request, context);
    return { ...report, tests: report.tests.map((result) => ({ ...result, durationMs: 1 })) };
  };
  const one = await reportWith(1);
  const two = await reportWith(2);
  expect([one.passed, one.failed, one.refused, one.problems?.length]).toEqual([66, 46, 1, 2]);
  for (const format of ['json', 'junit', 'markdown', 'text'] as const)
    expect(await linesOf(two, { format })).toEqual(await linesOf(one, { format }));
});

test('what another process read counts for the cache', async () => {
  using folder = testFolder(mixedProject);
  using cache = testFolder();
  const statuses = async () => {
    const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
    const { tests } = await runTests(
      {
        project,
        files: testFiles(project),
        jobs: 2,
        withCoverage: false,
        cache: {
          folder: cache.directory,
          program: 'one',
          now: 0,
          onFailure: (error) => expect.fail(String(error)),
        },
      },
      { clock: systemClock, signal: new AbortController().signal },
    );
    const of = (wanted: boolean) =>
      tests.filter(({ isCached = false, status }) => isCached === wanted && status === 'passed').length;
    return { cached: of(true), ran: of(false), failed: tests.length - of(true) - of(false) };
  };
  expect(await statuses()).toEqual({ cached: 0, ran: 66, failed: 47 });
  expect(await statuses()).toEqual({ cached: 66, ran: 0, failed: 47 });
  folder.write('many.orch.yaml', `# changed\n${mixedProject['many.orch.yaml']}`);
  expect(await statuses()).toEqual({ cached: 0, ran: 66, failed: 47 });
});
