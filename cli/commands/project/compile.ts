import type { CompileReport } from '../../../flows/data-graph/compile-report.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import type { Report } from '../../../lib/report/report.ts';
import { type AddCommand, commandAction, defineCommand, oneOf } from '../../kit/command.ts';
import { refuseFormat } from '../../tests/refuse-format.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { jsonLines } from '../../terminal/json-lines.ts';
import { openBase } from '../../tests/open-base.ts';
import { openTests } from '../../tests/open-tests.ts';

const formats = ['text', 'json', 'markdown'] as const;

interface CompileOptions extends CommonOptions {
  readonly base?: string;
  readonly format?: (typeof formats)[number];
}

/** `millrace compile`: what breaks, without running anything. */
export const addCompile: AddCommand = (program, shell) => {
  defineCommand(program, 'compile', 'Find columns that pipelines read and no pipeline writes.')
    .option(
      '--base <ref>',
      'report what the files on disk break on the changed component, compared with this commit or with where the branch left it',
    )
    .option('--format <format>', formats.join(', '), oneOf(formats))
    .action(commandAction<CompileOptions>(shell, compileProject));
};

async function compileProject(session: Session, options: CompileOptions): Promise<Outcome> {
  const { base, json = false, format = 'text' } = options;
  refuseFormat(options);
  const { bindProject } = await import('../../../flows/data-graph/bind-project.ts');
  const { compile } = await import('../../../flows/data-graph/compile.ts');
  const { reportOfCompile } = await import('../../../flows/data-graph/report.ts');
  const { signal } = session.flow;
  const project = await openTests(session);
  const before = base === undefined ? undefined : await openBase(session, project, base);
  const graph = await bindProject(project, { signal });
  const compiled = compile(graph, before && (await bindProject(before.project, { signal })));
  const report = reportOfCompile(compiled);
  session.output.result(compiled, json ? [] : await linesOf(compiled, report, format));
  return report.outcome;
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
    case 'text': {
      const { terminalLines } = await import('../../../lib/report/terminal.ts');
      return terminalLines(report);
    }
  }
}
