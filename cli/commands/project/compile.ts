import { join } from 'node:path';
import type { CompileReport } from '../../../flows/data-graph/compile/compile-report.ts';
import type { TestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { shellWord } from '../../../lib/core/text/shell-word.ts';
import { version } from '../../../lib/core/values/version.ts';
import type { Report } from '../../../lib/report/report.ts';
import { type AddCommand, commandAction, defineCommand, oneOf } from '../../kit/command.ts';
import { refuseFormat } from '../../tests/refuse-format.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { jsonLines } from '../../terminal/json-lines.ts';
import { resolveNamedCommit } from '../../kit/git/resolve-named-commit.ts';
import { hookCommits } from '../../review/pre-commit-options.ts';
import { openBase } from '../../tests/open-base.ts';
import { openTests } from '../../tests/open-tests.ts';

const formats = ['text', 'json', 'markdown', 'sarif'] as const;

interface CompileOptions extends CommonOptions {
  readonly base?: string;
  readonly staged?: boolean;
  readonly columns?: boolean;
  readonly updateBaseline?: boolean;
  readonly format?: (typeof formats)[number];
}

/** `millrace compile`: checks columns and types of all pipelines without running them, and reports what would fail. */
export const addCompile: AddCommand = (program, shell) => {
  defineCommand(program, 'compile', 'Find columns that pipelines read and no pipeline writes.')
    .option(
      '--base <ref>',
      'report what the files on disk break compared with this commit (for a branch: with the merge base), at the component that changed',
    )
    .option(
      '--staged',
      'compile what is staged, compared with the last commit: only calls and tables, for a hook before the commit',
    )
    .option('--columns', 'with --staged: columns, too, which takes longer and needs the engine')
    .option('--update-baseline', 'record all current findings as known, so that only new ones count')
    .option('--format <format>', formats.join(', '), oneOf(formats))
    .action(commandAction<CompileOptions>(shell, compileProject));
};

async function compileProject(session: Session, options: CompileOptions): Promise<Outcome> {
  const { base, json = false, format = 'text' } = options;
  refuseFormat(options);
  const { bindProject } = await import('../../../flows/data-graph/bind/bind-project.ts');
  const { compile } = await import('../../../flows/data-graph/compile/compile.ts');
  const { compileBaseline, compileSettings } =
    await import('../../../flows/data-graph/compile/compile-settings.ts');
  const { concludeCompile } = await import('../../../flows/data-graph/compile/conclude-compile.ts');
  const { reportOfCompile } = await import('../../../flows/data-graph/compile/report.ts');
  const { signal } = session.flow;
  const { project, before, config } =
    options.staged === true ? await openStaged(session, options) : await openSaved(session, base);
  const columns = options.staged !== true || options.columns === true;
  const graph = await bindProject(project, { signal, columns });
  const compiled = concludeCompile(
    compile(graph, before && (await bindProject(before, { signal, columns, after: graph }))),
    compileSettings(project, config, session.flow.clock),
  );
  if (options.updateBaseline === true)
    return await recordBaseline(session, project.directory, compileBaseline(config), compiled);
  const report = reportOfCompile(compiled, { notes: uncheckedNotes(compiled, base) });
  session.output.result(compiled, json ? [] : await linesOf(compiled, report, format));
  return report.outcome;
}

/** What no finding about a change means: some readers of the change cannot be checked. */
function uncheckedNotes(
  { reads, withoutColumns }: CompileReport,
  base: string | undefined,
): readonly string[] {
  const unchecked = reads.total - reads.bound;
  return base === undefined || withoutColumns === true || unchecked === 0
    ? []
    : [
        `${numberOf(unchecked, 'read')} could not be checked, because the columns of the table are not known. To list all pipelines that may read what changed: millrace affected --base ${shellWord(base)}`,
      ];
}

/** A project before and after a change, with the settings after it. */
interface Compared {
  readonly project: TestProject;
  readonly before: TestProject | undefined;
  readonly config: ProjectConfig;
}

async function openSaved(session: Session, base: string | undefined): Promise<Compared> {
  const project = await openTests(session);
  const before = base === undefined ? undefined : await openBase(session, project, base);
  return { project, before: before?.project, config: await session.projectConfig() };
}

/**
 * What is staged, and the last commit. Before the first commit, there is nothing to compare with. If pre-commit checks a range of commits:
 * its last commit, and the one with which it began.
 */
async function openStaged(session: Session, { base, updateBaseline }: CompileOptions): Promise<Compared> {
  if (base !== undefined || updateBaseline === true)
    throw new Failure('usage', {
      message: `--staged compares with the last commit, so it cannot be combined with ${base === undefined ? '--update-baseline' : '--base'}.`,
      where: { input: '--staged' },
      hint: 'Leave out one of the two options.',
    });
  const { openWorkCopy } = await import('../../../lib/git/work-tree/work-copy.ts');
  const { projectOfCommit } = await import('../../../flows/pipeline-tests/files/project-of-commit.ts');
  const { repository, directory } = await session.repository();
  const { signal } = session.flow;
  const commits = hookCommits(session.io.env);
  if (commits !== undefined) {
    const open = (commit: string, fallback?: ProjectConfig) =>
      projectOfCommit({ repository, directory, commit, signal, fallback });
    const to = await resolveNamedCommit(repository, commits.to, session);
    const { project, config } = await open(to);
    if (commits.from === undefined) return { project, before: undefined, config };
    const from = await resolveNamedCommit(repository, commits.from, session);
    // As a review: what is pushed, or an older commit, replaces the first commit.
    const fork = commits.isPush ? undefined : await repository.mergeBase(from, to, { signal });
    const beginning = fork === undefined || fork === to ? from : fork;
    return { project, before: (await open(beginning, config)).project, config };
  }
  const snapshot = await openWorkCopy(session.directory, 'staged', { environment: session.io.env, signal });
  const { commit } = snapshot;
  const request = { repository, directory, commit, signal };
  const { project, config } = await projectOfCommit({ ...request, snapshot });
  if (commit === '') return { project, before: undefined, config };
  const { project: before } = await projectOfCommit({ ...request, fallback: config });
  return { project, before, config };
}

async function linesOf(
  compiled: CompileReport,
  report: Report,
  format: (typeof formats)[number],
): Promise<readonly string[]> {
  switch (format) {
    case 'json':
      return jsonLines(compiled);
    case 'markdown': {
      const { fileLimit, reportMarkdown } = await import('../../../lib/report/markdown.ts');
      return reportMarkdown(report, { limit: fileLimit }).split('\n');
    }
    case 'sarif': {
      const { sarifDocument } = await import('../../../flows/findings/sarif.ts');
      const { compileHelp, compilePage } = await import('../../../flows/data-graph/compile/compile-help.ts');
      const { suppressedOf } = await import('../../../flows/data-graph/compile/report.ts');
      return jsonLines(
        sarifDocument({
          findings: report.findings,
          suppressed: suppressedOf(compiled),
          version,
          category: 'millrace/compile/',
          helpOf: compileHelp,
          pageOf: compilePage,
          properties: { outcome: report.outcome },
        }),
      );
    }
    case 'text': {
      const { terminalLines } = await import('../../../lib/report/terminal.ts');
      return terminalLines(report);
    }
  }
}

/** Records what is found. A pipeline that cannot be read is not recorded, and fails as without the option. */
async function recordBaseline(
  { output }: Session,
  directory: string,
  baseline: string,
  compiled: CompileReport,
): Promise<Outcome> {
  const { nextBaseline, unreadable } = compiled;
  const { writeBaseline } = await import('../../../flows/findings/baseline.ts');
  const { writeFileAtomically } = await import('../../kit/write-file-atomically.ts');
  await writeFileAtomically(join(directory, baseline), writeBaseline(nextBaseline, 'compile'));
  const recorded = nextBaseline.length;
  const { reportOfCompile } = await import('../../../flows/data-graph/compile/report.ts');
  const { findingLines } = await import('../../../lib/report/terminal.ts');
  const notRecorded = reportOfCompile(compiled).findings.filter(({ errorType }) => errorType !== undefined);
  const outcome = unreadable > 0 ? 'failed' : 'passed';
  output.result({ outcome, baseline, recorded, unreadable }, [
    ...findingLines(notRecorded),
    ...(unreadable === 0
      ? []
      : [
          `${numberOf(unreadable, 'pipeline')} could not be read, so not all findings are recorded: correct the files, and record the baseline again.`,
        ]),
    `Recorded ${numberOf(recorded, 'finding')} in ${baseline}. Commit this file. From then on, only new findings count.`,
  ]);
  return outcome;
}
