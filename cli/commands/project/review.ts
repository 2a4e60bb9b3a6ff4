import { numberOf } from '../../../lib/core/number-of.ts';
import { type Command, Option } from 'commander';
import type { Fixes } from '../../../flows/review/fix-findings.ts';
import { readSourceLines } from '../../../flows/review/source-lines.ts';
import type { ReviewReport, ReviewRequest } from '../../../flows/review/review-request.ts';
import { commitSnapshot } from '../../../lib/git/snapshot.ts';
import { version } from '../../../lib/core/version.ts';
import {
  commandAction,
  type AddCommand,
  definePlatformCommand,
  parseDurationOption,
  oneOf,
} from '../../kit/command.ts';
import { findingLines } from '../../kit/finding-lines.ts';
import { jsonLines } from '../../terminal/json-lines.ts';
import { paintFinding, wantsColour } from '../../terminal/paint.ts';
import { reviewLines } from '../../kit/review-lines.ts';
import { formats, levels, type ReviewOptions, reviewRequest, scopes } from '../../kit/review-request.ts';
import type { Session } from '../../kit/session.ts';
import { warnOfNestedProjects } from '../../kit/warn-of-nested-projects.ts';
import { writeFileAtomically } from '../../kit/write-file-atomically.ts';
import { writeFixes } from '../../kit/write-fixes.ts';

/** `millrace review`: checks the pipelines of a commit, of the index or of the work tree against the quality rules. */
export const addReview: AddCommand = (program, shell) => {
  addOptions(
    definePlatformCommand(program, 'review', 'Check pipeline files against the quality rules.'),
  ).action(
    commandAction<ReviewOptions>(shell, async (session, given, ...files) => {
      const { output, flow } = session;
      const wanted = await reviewRequest(session, given, files);
      await warnOfNestedProjects(session, given, wanted);
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
      const described = fixes === undefined ? undefined : await describeFixes(fixes, dryRun);
      const fixText = described?.lines ?? [];
      const asText = given.json !== true && (given.format ?? 'text') === 'text';
      if (!asText && given.json !== true && given.format !== 'json')
        for (const line of fixText) output.logger.warn(line);
      if (given.updateBaseline === true) return updateBaseline(session, request, report, { fixText, dryRun });
      const { nextBaseline: _, ...shown } = report;
      const paint = asText && wantsColour(session.io) ? paintFinding : undefined;
      const withFixes = { ...shown, ...(described === undefined ? {} : { fixes: described.json }) };
      const lines =
        given.format === 'json' ? jsonLines(withFixes) : await inFormat(given.format, report, request);
      output.result(withFixes, asText ? [...fixText, ...lines] : lines, paint);
      return report.outcome;
    }),
  );
};

/** Renders the report in the format of `--format`; `--json` has precedence. */
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

function addOptions(command: Command): Command {
  return command
    .argument(
      '[files...]',
      'files, folders or globs to review, relative to the current folder (default: all)',
    )
    .option('--local', 'evaluate the rules on this machine, without platform and token')
    .option('--staged', 'review what is staged for the next commit (with --local)')
    .option('--working-tree', 'review the files on disk, including new ones (with --local)')
    .option('--commit <ref>', 'commit to review', 'HEAD')
    .option('--branch <name>', 'branch of the commit (default: the branch that is checked out)')
    .option('--base <ref>', 'commit that `--scope changed` compares with')
    .option('--scope <scope>', `which pipelines: ${scopes.join(' or ')}`, oneOf(scopes))
    .option('--fail-on <severity>', `lowest severity that fails: ${levels.join(', ')}`, oneOf(levels))
    .option('--fix', 'fix findings that have a safe fix in the files on disk (with --local --working-tree)')
    .option('--dry-run', 'write nothing: show a diff (with --fix) or a count (with --update-baseline)')
    .option(
      '--update-baseline',
      'record all current findings as known in the review baseline, so that only new ones count',
    )
    .option('--format <format>', formats.join(', '), oneOf(formats))
    .option('--agent-version <version>', 'runner version, sent in the header Agent-Version')
    .option('--config-dir <folder>', 'folder of the quality rules file')
    .addOption(
      new Option('--timeout <time>', 'time limit for the platform’s part of the review')
        .argParser(parseDurationOption)
        .default(600_000, '10m'),
    );
}

/** Applies the safe fixes in memory. The snapshot is the work tree: `reviewRequest` has refused other requests. */
async function fix(request: ReviewRequest, flow: Session['flow']): Promise<Fixes> {
  const { snapshot } = request;
  if (snapshot === undefined) throw new Error('--fix without a work tree');
  const { fixFindings } = await import('../../../flows/review/fix-findings.ts');
  return fixFindings({ ...request, snapshot }, flow);
}

/** Loads the diff library only with `--fix`: it takes 14 ms. */
async function describeFixes(fixes: Fixes, dryRun: boolean) {
  const { fixesOf, fixLines } = await import('../../kit/fix-lines.ts');
  return { json: fixesOf(fixes, dryRun), lines: fixLines(fixes, dryRun) };
}

/** Records the findings as the baseline. Rules that could not be evaluated are listed, and fail as in a review. */
async function updateBaseline(
  { output }: Session,
  request: ReviewRequest,
  { nextBaseline, findings }: ReviewReport,
  { fixText, dryRun }: { readonly fixText: readonly string[]; readonly dryRun: boolean },
): Promise<'passed' | 'failed'> {
  const { countFindings } = await import('../../../flows/review/count-findings.ts');
  const { decide } = await import('../../../flows/review/gate.ts');
  const { baseline = '' } = request;
  if (!dryRun) await recordBaseline(request, nextBaseline);
  const notRecorded = findings.filter(({ errorType }) => errorType !== undefined);
  const outcome = decide(countFindings(notRecorded), request.failOn);
  const recorded = nextBaseline.length;
  const count = numberOf(recorded, 'finding');
  output.result({ outcome, baseline, recorded, dryRun, notRecorded }, [
    ...fixText,
    ...findingLines(notRecorded),
    ...(notRecorded.length === 0
      ? []
      : [
          `${numberOf(notRecorded.length, 'finding was', 'findings were')} not recorded: a baseline cannot include rules that could not be evaluated.`,
        ]),
    dryRun
      ? `Would record ${count} in ${baseline}.`
      : `Recorded ${count} in ${baseline}. Commit this file. From then on, only new findings count.`,
  ]);
  return outcome;
}

async function recordBaseline(
  { repository, baseline = '' }: ReviewRequest,
  entries: Parameters<typeof import('../../../flows/review/baseline.ts').writeBaseline>[0],
): Promise<void> {
  const { writeBaseline } = await import('../../../flows/review/baseline.ts');
  await writeFileAtomically(`${repository.root}/${baseline}`, writeBaseline(entries));
}
