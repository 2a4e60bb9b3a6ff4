import { readdirSync } from 'node:fs';
import path from 'node:path';
import { readSourceLines } from '../../flows/review/conclude/source-lines.ts';
import { reviewLocally } from '../../flows/review/review-locally.ts';
import type { ReviewReport, ReviewRequest } from '../../flows/review/scope/review-request.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Finding } from '../../lib/core/outcomes/finding.ts';
import { type ExitCode, exitCodeOf } from '../../lib/core/outcomes/outcome.ts';
import { silentProgress } from '../../lib/core/ports/ports.ts';
import { ignoredFolders } from '../../lib/git/work-tree/ignored-folders.ts';
import { paintFinding, wantsColour } from '../terminal/paint.ts';
import type { FolderWatcher } from './folder-watcher.ts';
import { findingLines, type SourceLine } from '../../lib/report/terminal.ts';
import { verdictLine } from '../../flows/review/report.ts';
import { reviewLines } from '../review/review-lines.ts';
import type { ReviewOptions } from '../review/review-options.ts';
import type { Session } from '../kit/session.ts';
import { watchChanges } from './watch-loop.ts';

/**
 * Throws Failure 'usage' for an option that makes sense for one review only, or if the review is not about the
 * files on disk.
 */
export function refuseWatchOptions(options: ReviewOptions): void {
  const { json, format = 'text', fix, updateBaseline, statistics, outputFile, explain, affected } = options;
  const others = {
    '--affected': affected !== undefined,
    '--json': json === true,
    [`--format ${format}`]: format !== 'text',
    '--fix': fix === true,
    '--update-baseline': updateBaseline === true,
    '--statistics': statistics === true,
    '--output-file': outputFile !== undefined,
    '--explain': explain !== undefined,
  };
  const [other] = Object.entries(others).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (other !== undefined) {
    throw new Failure('usage', {
      message: `--watch cannot be combined with ${other}: --watch reviews after each change, and ${other} is for one review.`,
      where: { input: '--watch' },
      hint: `Remove --watch or ${other}.`,
    });
  }
  if (options.workingTree !== true || options.local !== true) {
    throw new Failure('usage', {
      message:
        '--watch needs --local and --working-tree, because it reviews the files on disk after each change.',
      where: { input: '--watch' },
      hint: 'Use --local --working-tree --watch.',
    });
  }
}

interface Round {
  readonly report: ReviewReport;
  readonly lines: readonly string[];
}

/**
 * `millrace review --watch`: reviews, then again after each change, and shows what changed in the findings. `open` reads
 * the settings as they are now. Returns the exit code of the last review; throws what the first one throws.
 */
export async function watchReview(session: Session, open: () => Promise<ReviewRequest>): Promise<ExitCode> {
  const { repository } = await session.repository();
  const { root } = repository;
  let before: ReviewReport | undefined;
  let hasFailed = false;
  const review = async (watcher: FolderWatcher): Promise<Round | undefined> => {
    let request = await open();
    // The next list has the files that were put into a new folder before it was watched.
    while (watcher.follow(await watchedFolders(session, request))) request = await open();
    // Only the first review is announced: most changes of other files change nothing.
    const flow = before === undefined ? session.flow : { ...session.flow, progress: silentProgress };
    const report = await reviewLocally(request, flow);
    const sourceOf = await sourceLines(request, report);
    const changes =
      before === undefined
        ? reviewLines(report, { io: session.io, options: { local: true, workingTree: true }, sourceOf })
        : changeLines(before, report, sourceOf);
    before = report;
    // After a failure, the total says that the review works again.
    const lines = changes.length === 0 && hasFailed ? [verdictLine(report)] : changes;
    return lines.length === 0 ? undefined : { report, lines };
  };
  const { output, io } = session;
  return watchChanges<Round>(session, {
    root,
    async run(watcher) {
      try {
        const round = await review(watcher);
        hasFailed = false;
        return round;
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    },
    show: ({ report, lines }) => output.result(report, lines, wantsColour(io) ? paintFinding : undefined),
    codeOf: ({ report }) => exitCodeOf(report.outcome),
  });
}

async function sourceLines(request: ReviewRequest, { findings }: ReviewReport): Promise<SourceLine> {
  if (request.snapshot === undefined) return () => undefined;
  return readSourceLines(
    request.snapshot,
    findings.filter(({ state }) => state === 'new'),
  );
}

/** The findings that are new since the last review, those that are gone, and the counts; empty without a change. */
function changeLines(before: ReviewReport, now: ReviewReport, sourceOf: SourceLine): readonly string[] {
  const oldKeys = new Set(current(before).map(keyOf));
  const added = now.findings.filter((finding) => finding.state === 'new' && !oldKeys.has(keyOf(finding)));
  const left = new Set(current(now).map(({ fingerprint }) => fingerprint));
  const gone = current(before).filter(({ fingerprint }) => !left.has(fingerprint));
  const total = verdictLine(now);
  if (added.length + gone.length === 0 && total === verdictLine(before)) return [];
  return [
    ...(added.length === 0 ? [] : ['New:', ...findingLines(added, sourceOf)]),
    ...(gone.length === 0 ? [] : ['Gone:', ...findingLines(gone)]),
    total,
  ];
}

function current({ findings }: ReviewReport): readonly Finding[] {
  return findings.filter(({ state }) => state !== 'fixed');
}

/** A finding that says something else, such as another number, is new again. */
function keyOf({ fingerprint, state, severity, message }: Finding): string {
  return JSON.stringify([fingerprint, state, severity, message]);
}

/** The folders whose files decide about the review, relative to the repository. */
async function watchedFolders({ io }: Session, request: ReviewRequest): Promise<readonly string[]> {
  const { repository, directory, configDir, configFile, baseline, extendedFiles = [] } = request;
  const { env: environment, signal } = io;
  const ignored = await ignoredFolders(repository.root, { environment, signal });
  const folders = new Set(foldersBelow(repository.root, directory, ignored));
  // The rules file may be in each folder above the project.
  for (let above = directory; ; above = parentOf(above)) {
    for (const folder of ['', configDir, `${configDir}/config`])
      folders.add(path.posix.join(above, folder).replace(/^\.$/, ''));
    if (above === '') break;
  }
  for (const file of [configFile, baseline, ...extendedFiles])
    if (file !== undefined) folders.add(parentOf(file));
  // It changes with a new commit and with another branch.
  return [...folders, '.git/logs'];
}

function parentOf(name: string): string {
  const parent = path.posix.dirname(name);
  return parent === '.' ? '' : parent;
}

function* foldersBelow(
  root: string,
  folder: string,
  ignored: ReadonlySet<string>,
): Generator<string, void, undefined> {
  yield folder;
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== '.git' && !ignored.has(name))
      yield* foldersBelow(root, name, ignored);
  }
}
