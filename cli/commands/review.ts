import { numberOf } from '../../model/number-of.ts';
import type { Command } from 'commander';
import { readSourceLines } from '../../flows/review/source-lines.ts';
import type { ReviewReport, ReviewRequest } from '../../flows/review/review-request.ts';
import { commitSnapshot } from '../../git/snapshot.ts';
import { version } from '../../model/version.ts';
import { act, type AddCommand, definePlatformCommand, oneOf } from '../command.ts';
import { jsonLines } from '../json-lines.ts';
import { paintFinding, wantsColour } from '../paint.ts';
import { reviewLines } from '../review-lines.ts';
import { formats, levels, type ReviewOptions, reviewRequest, scopes } from '../review-request.ts';
import type { Session } from '../session.ts';
import { warnOfProjects } from '../warn-of-projects.ts';
import { writeFileWhole } from '../write-file-whole.ts';

/** `millrace review`: the quality rules on the pipelines of a commit, of the index or of the work tree. */
export const addReview: AddCommand = (program, shell) => {
  options(
    definePlatformCommand(program, 'review', 'Review pipeline files against the quality rules.'),
  ).action(
    act<ReviewOptions>(shell, async (session, given, ...files) => {
      const { output, flow } = session;
      if (given.fix === true) await mend(session, given, files);
      const request = await reviewRequest(session, given, files);
      await warnOfProjects(session, given, request);
      const { reviewLocally } = await import('../../flows/review/review-locally.ts');
      const { reviewOnPlatform } = await import('../../flows/review/review-on-platform.ts');
      const report =
        given.local === true
          ? await reviewLocally(request, flow)
          : await session.withPlatform((context) => reviewOnPlatform(request, context));
      if (given.updateBaseline === true) {
        const { nextBaseline } = report;
        const file = await recordBaseline(request, nextBaseline);
        output.result({ outcome: 'passed', baseline: file, recorded: nextBaseline.length }, [
          `Recorded ${numberOf(nextBaseline.length, 'finding')} in ${file}. Commit it; from now on only new findings count.`,
        ]);
        return 'passed';
      }
      const { nextBaseline: _, ...shown } = report;
      const paint = (given.format ?? 'text') === 'text' && wantsColour(session.io) ? paintFinding : undefined;
      output.result(shown, await inFormat(given.format, report, request), paint);
      return report.outcome;
    }),
  );
};

/** The report in the form that was asked for; `--json` wins over it. */
async function inFormat(
  format: ReviewOptions['format'],
  report: ReviewReport,
  request: ReviewRequest,
): Promise<string[]> {
  switch (format) {
    case 'json': {
      const { nextBaseline: _, ...shown } = report;
      return jsonLines(shown);
    }
    case 'sarif': {
      const { sarifOf } = await import('../../flows/review/sarif.ts');
      return jsonLines(sarifOf(report, version));
    }
    case 'markdown': {
      const { reviewMarkdown } = await import('../review-markdown.ts');
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
    .argument('[files...]', 'these files only')
    .option('--local', 'evaluate the rules here: no platform and no token')
    .option('--staged', 'what is staged for the next commit (with --local)')
    .option('--working-tree', 'the files on disk, new ones too (with --local)')
    .option('--commit <ref>', 'the commit to review', 'HEAD')
    .option('--branch <name>', 'its branch (default: the one that is checked out)')
    .option('--base <ref>', 'what `--scope changed` is measured against')
    .option('--scope <scope>', scopes.join(' or '), oneOf(scopes))
    .option('--fail-on <severity>', levels.join(', '), oneOf(levels))
    .option('--fix', 'mend what is sure in the files on disk (with --local --working-tree)')
    .option('--update-baseline', 'record what is found now as known')
    .option('--format <form>', formats.join(', '), oneOf(formats))
    .option('--agent-version <version>', 'runner version for the header Agent-Version')
    .option('--config-dir <folder>', 'folder of the rules file');
}

/** Mends what is sure in the files on disk, until nothing is left: one mend may lay open another. */
async function mend(session: Session, given: ReviewOptions, files: readonly string[]): Promise<void> {
  const { mendFiles } = await import('../mend-files.ts');
  const { reviewLocally } = await import('../../flows/review/review-locally.ts');
  const mended = new Set<string>();
  let count = 0;
  for (let round = 0; round < 10; round += 1) {
    const request = await reviewRequest(session, given, files);
    const { findings } = await reviewLocally(request, session.flow);
    const done = await mendFiles(request.repository.root, findings);
    if (done.length === 0) break;
    count += done.length;
    for (const { file } of done) mended.add(file);
  }
  session.output.progress.step(`Mended ${numberOf(count, 'finding')} in ${numberOf(mended.size, 'file')}.`);
}

async function recordBaseline(
  { repository, baseline = '' }: Awaited<ReturnType<typeof reviewRequest>>,
  entries: Parameters<typeof import('../../flows/review/baseline.ts').writeBaseline>[0],
): Promise<string> {
  const { writeBaseline } = await import('../../flows/review/baseline.ts');
  await writeFileWhole(`${repository.root}/${baseline}`, writeBaseline(entries));
  return baseline;
}
