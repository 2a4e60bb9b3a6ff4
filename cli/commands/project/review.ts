import { type Command, Option } from 'commander';
import type { Fixes } from '../../../flows/review/fixes/fix-findings.ts';
import type { ReviewReport, ReviewRequest } from '../../../flows/review/scope/review-request.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { ExitCode, Outcome } from '../../../lib/core/outcomes/outcome.ts';
import {
  commandAction,
  type AddCommand,
  definePlatformCommand,
  parseDurationOption,
  oneOf,
} from '../../kit/command.ts';
import { formats, levels, type ReviewOptions, scopes } from '../../review/review-options.ts';
import type { Session } from '../../kit/session.ts';

/** `millrace review`: checks the pipelines of a commit, of the index or of the work tree against the quality rules. */
export const addReview: AddCommand = (program, shell) => {
  addOptions(
    definePlatformCommand(program, 'review', 'Check pipeline files against the quality rules.'),
  ).action(
    commandAction<ReviewOptions>(shell, async (session, options, ...files) => {
      const { explain, watch } = options;
      if (watch === true) return watchFiles(session, options, files);
      return explain === undefined
        ? review(session, options, files)
        : explainTo(session, explain, options, files);
    }),
  );
};

async function review(session: Session, options: ReviewOptions, files: readonly string[]): Promise<Outcome> {
  const { output, flow } = session;
  const { jsonOfReview, refuseOutputOptions, renderReview, writeReport } =
    await import('../../review/review-output.ts');
  const { reviewRequest } = await import('../../review/review-request.ts');
  const { warnOfNestedProjects } = await import('../../review/warn-of-nested-projects.ts');
  refuseOutputOptions(options);
  const requested =
    options.affected === undefined
      ? await reviewRequest(session, options, files)
      : await affectedRequest(session, { ...options, affected: options.affected }, files);
  const unreviewed = await warnOfNestedProjects(session, options, requested);
  const fixes = options.fix === true ? await fix(requested, flow, options.unsafeFixes) : undefined;
  const request = fixes?.request ?? requested;
  const report = fixes?.report ?? (await evaluate(session, request, options.local === true));
  if (unreviewed !== undefined && report.outcome === 'nothing-to-do') throw unreviewed;
  const dryRun = options.dryRun ?? false;
  if (fixes !== undefined && !dryRun) {
    const { writeFixes } = await import('../../review/write-fixes.ts');
    await writeFixes(request.repository.root, fixes.files);
  }
  const described = fixes === undefined ? undefined : await describeFixes(fixes, dryRun);
  const fixText = described?.lines ?? [];
  const { json = false, format = 'text', statistics = false, outputFile } = options;
  const asText = !json && format === 'text';
  if (!asText && !json && format !== 'json') for (const line of fixText) output.logger.warn(line);
  if (options.updateBaseline === true) {
    const { updateBaseline } = await import('../../review/update-baseline.ts');
    return updateBaseline(session, request, report, { fixText, dryRun });
  }
  const shown = {
    ...jsonOfReview(report, statistics),
    ...(described === undefined ? {} : { fixes: described.json }),
  };
  const rendered = json ? [] : await renderReview(report, shown, { ...options, request, io: session.io });
  const lines = asText ? [...fixText, ...rendered] : rendered;
  if (outputFile === undefined) {
    const { paintFinding, wantsColour } = await import('../../terminal/paint.ts');
    const paint = asText && wantsColour(session.io) ? paintFinding : undefined;
    output.result(shown, lines, paint);
  } else await writeReport(session, outputFile, { lines, report });
  return report.outcome;
}

/** Adds the pipelines that the change since `affected` affects to those that it touched. */
async function affectedRequest(
  session: Session,
  options: ReviewOptions & { readonly affected: string },
  files: readonly string[],
): Promise<ReviewRequest> {
  const { reviewRequest } = await import('../../review/review-request.ts');
  const { refuseWithAffected } = await import('../../review/refuse-with-affected.ts');
  const { affectedPipelines } = await import('../../tests/affected-pipelines.ts');
  refuseWithAffected(options, files);
  const { affected: name } = options;
  const request = await reviewRequest(session, { ...options, base: name, scope: 'changed' }, files);
  const affected = await affectedPipelines(session, { name, reviewed: request.snapshot ?? request.commit });
  return { ...request, affected };
}

async function watchFiles(
  session: Session,
  options: ReviewOptions,
  files: readonly string[],
): Promise<ExitCode> {
  const { refuseWatchOptions, watchReview } = await import('../../watch/watch-review.ts');
  refuseWatchOptions(options);
  const { openSession } = await import('../../kit/session.ts');
  const { reviewRequest } = await import('../../review/review-request.ts');
  const { warnOfNestedProjects } = await import('../../review/warn-of-nested-projects.ts');
  await warnOfNestedProjects(session, options, await reviewRequest(session, options, files));
  // A session reads millrace.yaml once; it may change too.
  return watchReview(session, () => reviewRequest(openSession(session.io, options), options, files));
}

async function evaluate(session: Session, request: ReviewRequest, isLocal: boolean): Promise<ReviewReport> {
  if (isLocal) {
    const { reviewLocally } = await import('../../../flows/review/review-locally.ts');
    return reviewLocally(request, session.flow);
  }
  const { reviewOnPlatform } = await import('../../../flows/review/review-on-platform.ts');
  return session.withPlatform((context) => reviewOnPlatform(request, context), Infinity);
}

async function explainTo(
  session: Session,
  name: string,
  options: ReviewOptions,
  files: readonly string[],
): Promise<Outcome> {
  const { output } = session;
  if (options.affected !== undefined)
    throw new Failure('usage', {
      message: '--affected cannot be combined with --explain: an explanation needs no choice of pipelines.',
      where: { input: '--affected' },
      hint: 'Remove --affected or --explain.',
    });
  const { explainFinding, isFindingId } = await import('../../review/explain-finding.ts');
  if (isFindingId(name)) {
    const { reviewRequest } = await import('../../review/review-request.ts');
    const scope = options.scope ?? (options.base === undefined ? 'all' : undefined);
    const request = await reviewRequest(session, { ...options, ...(scope && { scope }) }, files);
    const report = await evaluate(session, request, options.local === true);
    const explained = await explainFinding(name, report, request);
    output.result(explained.report, explained.lines);
    return 'passed';
  }
  const { explainRule } = await import('../../review/explain-rule.ts');
  const { report, lines } = explainRule(name);
  output.result(report, lines);
  return 'passed';
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
    .option(
      '--affected <ref>',
      'review the pipelines that changed since this commit, or since the branch left it, and those that they affect',
    )
    .option('--new-only', 'count only problems that the commit of --base does not have')
    .option('--scope <scope>', `which pipelines: ${scopes.join(' or ')}`, oneOf(scopes))
    .option('--fail-on <severity>', `lowest severity that fails: ${levels.join(', ')}`, oneOf(levels))
    .option('--fix', 'apply safe fixes to the files on disk (with --local --working-tree)')
    .option('--unsafe-fixes', 'also apply fixes that change names or behaviour (with --fix)')
    .option('--dry-run', 'write nothing: show a diff (with --fix) or a count (with --update-baseline)')
    .option('--watch', 'review again when files change, until Ctrl-C (with --local --working-tree)')
    .option(
      '--update-baseline',
      'record all current findings as known in the review baseline, so that only new ones count',
    )
    .option('--format <format>', formats.join(', '), oneOf(formats))
    .option('--output-file <file>', 'write the report to this file, and print only the counts')
    .option('--statistics', 'print how often each rule was broken, in place of the findings')
    .option('--explain <rule>', 'explain a rule and how to fix its findings, or a finding by its id')
    .option('--agent-version <version>', 'runner version, sent in the header Agent-Version')
    .option('--config-dir <folder>', 'folder of the quality rules file')
    .addOption(
      new Option('--timeout <time>', 'time limit for the platform’s part of the review')
        .argParser(parseDurationOption)
        .default(600_000, '10m'),
    );
}

/** Applies the fixes in memory. The snapshot is the work tree: `reviewRequest` has refused other requests. */
async function fix(request: ReviewRequest, flow: Session['flow'], withUnsafe?: boolean): Promise<Fixes> {
  const { snapshot } = request;
  if (snapshot === undefined) throw new Error('--fix without a work tree');
  const { fixFindings } = await import('../../../flows/review/fixes/fix-findings.ts');
  return fixFindings({ ...request, snapshot }, flow, { withUnsafe });
}

/** Loads the diff library only with `--fix`: it takes 14 ms. */
async function describeFixes(fixes: Fixes, dryRun: boolean) {
  const { fixesOf, fixLines } = await import('../../review/fix-lines.ts');
  return { json: fixesOf(fixes, dryRun), lines: fixLines(fixes, dryRun) };
}
