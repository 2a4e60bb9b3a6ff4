import type { TestParts } from '../../flows/pipeline-tests/run/test-report.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { ExitCode, Outcome } from '../../lib/core/outcomes/outcome.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import type { Session } from '../kit/session.ts';
import { chosenFiles, noneAffected } from './chosen-files.ts';
import { openTests } from './open-tests.ts';
import { pythonPermission } from './python-permission.ts';
import { endOf, reportTests, writeDurationsOf } from './report-tests.ts';
import { type ShardSelection, shardSelection } from './shard-selection.ts';
import type { TestArguments, TestOptions } from './test-options.ts';
import { changesText, updateTests } from './update-tests.ts';

/** Runs the chosen tests and prints the report. Then reports invalid files as an error. */
export async function runChosen(
  session: Session,
  options: TestOptions,
  { names, context }: TestArguments,
): Promise<Outcome | ExitCode> {
  const project = await openTests(session);
  const files = await chosenFiles(session, project, { names, affected: options.affected });
  if (files.length === 0) {
    session.output.result({ passed: 0, failed: 0, refused: 0, tests: [] }, [noneAffected]);
    return 'nothing-to-do';
  }
  const { runParts } = await import('../../flows/pipeline-tests/run/run-tests.ts');
  const { reportOfParts } = await import('../../flows/pipeline-tests/run/test-report.ts');
  const { filter, jobs, coverage = false, update = false, dryRun = false } = options;
  const cache = await cacheOf(session, project, options);
  const selection = await shardSelection(session, options);
  const request = {
    project,
    files,
    filter,
    jobs,
    withCoverage: coverage,
    select: selection?.select,
    cache,
  };
  const updated = update ? await updateTests(session, request, { context, dryRun }) : [];
  const current = updated.length > 0 && !dryRun ? { ...request, project: await openTests(session) } : request;
  const parts = await runParts(current, context);
  const report = reportOfParts(parts);
  const { json, format } = options;
  if (format === 'blob') {
    const { writeBlob } = await import('../../flows/pipeline-tests/shards/write-blob.ts');
    const shard = selection?.shard ?? { number: 1, count: 1 };
    const settings = {
      files: names.join(', '),
      affected: options.affected ?? '',
      filter: filter ?? '',
      python: String(context.python !== undefined),
      coverage: String(coverage),
    };
    const run = { project, files, shard, durations: selection?.durations, settings, redact: session.redact };
    session.output.result(report, [writeBlob(parts, run)]);
    await writeDurationsOf(session, report, options.writeDurations);
    return endOf(session, report, json);
  }
  const lines = await changesText(updated, options);
  return reportTests(session, report, {
    json,
    format,
    lines,
    notes: shardNotes(selection, parts),
    writeDurations: options.writeDurations,
  });
}

/** Says that a report is about a part of the tests. */
function shardNotes(
  selection: ShardSelection | undefined,
  { planned, results }: TestParts,
): readonly string[] {
  if (selection === undefined) return [];
  const { number, count } = selection.shard;
  return [`Only shard ${number}/${count} ran: ${results.size} of ${numberOf(planned.length, 'test')}.`];
}

/** No cache where every test runs in any case. */
async function cacheOf(session: Session, project: TestProject, options: TestOptions) {
  if (options.update === true) return undefined;
  const { openTestCache } = await import('./test-cache.ts');
  return openTestCache(session, project, { ...options, python: pythonPermission(options, session.io) });
}
