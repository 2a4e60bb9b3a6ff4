import { numberOf } from '../../../lib/core/number-of.ts';
import { type Command, Option } from 'commander';
import type { Fixes } from '../../../flows/review/fix-findings.ts';
import { readSourceLines } from '../../../flows/review/source-lines.ts';
import type { ReviewReport, ReviewRequest } from '../../../flows/review/review-request.ts';
import { commitSnapshot } from '../../../lib/git/snapshot.ts';
import { version } from '../../../lib/core/version.ts';
import { act, type AddCommand, definePlatformCommand, duration, oneOf } from '../../kit/command.ts';
import { findingLines } from '../../kit/finding-lines.ts';
import { fixesOf, fixLines } from '../../kit/fix-lines.ts';
import { jsonLines } from '../../terminal/json-lines.ts';
import { paintFinding, wantsColour } from '../../terminal/paint.ts';
import { reviewLines } from '../../kit/review-lines.ts';
import { formats, levels, type ReviewOptions, reviewRequest, scopes } from '../../kit/review-request.ts';
import type { Session } from '../../kit/session.ts';
import { warnOfProjects } from '../../kit/warn-of-projects.ts';
import { writeFileWhole } from '../../kit/write-file-whole.ts';
import { writeFixes } from '../../kit/write-fixes.ts';

/** `millrace review`: the quality rules on the pipelines of a commit, of the index or of the work tree. */
export const addReview: AddCommand = (program, shell) => {
  options(
    definePlatformCommand(program, 'review', 'Review pipeline files against the quality rules.'),
  ).action(
    act<ReviewOptions>(shell, async (session, given, ...files) => {
      const { output, flow } = session;
      const wanted = await reviewRequest(session, given, files);
      await warnOfProjects(session, given, wanted);
      const fixes = given.fix === true ? await fix(wanted, flow) : undefined;
      const request = fixes?.request ?? wanted;
      const { reviewLocally } = await import('../../../flows/review/review-locally.ts');
      const { reviewOnPlatform } = await import('../../../flows/review/review-on-platform.ts');
      const report =
        fixes?.report ??
        (given.local === true
          ? await reviewLocally(request, flow)
          : await session.withPlatform((context) => reviewOnPlatform(request, context), Infinity));
      const dryRun = given.dryRun ?? false;
      if (fixes !== undefined && !dryRun) await writeFixes(request.repository.root, fixes.files);
      const told = fixes === undefined ? [] : fixLines(fixes, dryRun);
      const asText = given.json !== true && (given.format ?? 'text') === 'text';
      if (!asText && given.json !== true && given.format !== 'json')
        for (const line of told) output.logger.warn(line);
      if (given.updateBaseline === true) return updateBaseline(session, request, report, { told, dryRun });
      const { nextBaseline: _, ...shown } = report;
      const paint = asText && wantsColour(session.io) ? paintFinding : undefined;
      const withFixes = { ...shown, ...(fixes === undefined ? {} : { fixes: fixesOf(fixes, dryRun) }) };
      const lines =
        given.format === 'json' ? jsonLines(withFixes) : await inFormat(given.format, report, request);
      output.result(withFixes, asText ? [...told, ...lines] : lines, paint);
      return report.outcome;
    }),
  );
};

/** The report in the form that was asked for; `--json` wins over it. */
async function inFormat(
  format: Exclude<ReviewOptions['format'], 'json'>,
  report: ReviewReport,
  request: ReviewRequest,
): Promise<string[]> {
  switch (format) {
    case 'sarif': {
      const { sarifOf } = await import('../../../flows/review/sarif.ts');
      return jsonLines(sarifOf(report, version));
    }
    case 'markdown': {
      const { reviewMarkdown } = await import('../../kit/review-markdown.ts');
      return reviewMarkdown(report).split('\n');
    }
    case 'text':
    case undefined: {
      const snapshot = request.snapshot ?? commitSnapshot(request.repository, report.commit);
      const shown = report.findings.filter(({ state }) => state === 'new');
      return reviewLines(report, await readSourceLines(snapshot, shown));
    }
  }
}

function options(command: Command): Command {
  return command
    .argument('[files...]', 'these only: files, folders or globs, relative to the current folder')
    .option('--local', 'evaluate the rules here: no platform and no token')
    .option('--staged', 'what is staged for the next commit (with --local)')
    .option('--working-tree', 'the files on disk, new ones too (with --local)')
    .option('--commit <ref>', 'the commit to review', 'HEAD')
    .option('--branch <name>', 'its branch (default: the one that is checked out)')
    .option('--base <ref>', 'what `--scope changed` is measured against')
    .option('--scope <scope>', scopes.join(' or '), oneOf(scopes))
    .option('--fail-on <severity>', levels.join(', '), oneOf(levels))
    .option('--fix', 'fix what is sure in the files on disk (with --local --working-tree)')
    .option('--dry-run', 'with --fix: show a diff; with --update-baseline: a count; write nothing')
    .option('--update-baseline', 'record what is found now as known')
    .option('--format <form>', formats.join(', '), oneOf(formats))
    .option('--agent-version <version>', 'runner version for the header Agent-Version')
    .option('--config-dir <folder>', 'folder of the rules file')
    .addOption(
      new Option('--timeout <time>', 'how long the platform may take for all of it')
        .argParser(duration)
        .default(600_000, '10m'),
    );
}

/** Makes the sure fixes in memory. What is reviewed is the work tree: the request was refused otherwise. */
async function fix(request: ReviewRequest, flow: Session['flow']): Promise<Fixes> {
  const { snapshot } = request;
  if (snapshot === undefined) throw new Error('--fix without a work tree');
  const { fixFindings } = await import('../../../flows/review/fix-findings.ts');
  return fixFindings({ ...request, snapshot }, flow);
}

/** Records what was found; what could not be evaluated is named, and fails as in a review. */
async function updateBaseline(
  { output }: Session,
  request: ReviewRequest,
  { nextBaseline, findings }: ReviewReport,
  { told, dryRun }: { readonly told: readonly string[]; readonly dryRun: boolean },
): Promise<'passed' | 'failed'> {
  const { countFindings, decide } = await import('../../../flows/review/gate.ts');
  const { baseline = '' } = request;
  if (!dryRun) await recordBaseline(request, nextBaseline);
  const notRecorded = findings.filter(({ errorType }) => errorType !== undefined);
  const outcome = decide(countFindings(notRecorded), request.failOn);
  const recorded = nextBaseline.length;
  const count = numberOf(recorded, 'finding');
  output.result({ outcome, baseline, recorded, dryRun, notRecorded }, [
    ...told,
    ...findingLines(notRecorded),
    ...(notRecorded.length === 0
      ? []
      : [
          `${numberOf(notRecorded.length, 'finding was', 'findings were')} not recorded: a rule that could not be evaluated is never known.`,
        ]),
    dryRun
      ? `Would record ${count} in ${baseline}.`
      : `Recorded ${count} in ${baseline}. Commit it; from now on only new findings count.`,
  ]);
  return outcome;
}

async function recordBaseline(
  { repository, baseline = '' }: ReviewRequest,
  entries: Parameters<typeof import('../../../flows/review/baseline.ts').writeBaseline>[0],
): Promise<void> {
  const { writeBaseline } = await import('../../../flows/review/baseline.ts');
  await writeFileWhole(`${repository.root}/${baseline}`, writeBaseline(entries));
}
