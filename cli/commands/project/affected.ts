import type { AffectedReport } from '../../../flows/data-graph/affected/affected.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { type AddCommand, commandAction, defineCommand, oneOf } from '../../kit/command.ts';
import { refuseFormat } from '../../tests/refuse-format.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { jsonLines } from '../../terminal/json-lines.ts';
import { openBase } from '../../tests/open-base.ts';
import { openTests } from '../../tests/open-tests.ts';

const formats = ['text', 'json', 'markdown', 'matrix', 'mermaid'] as const;

interface AffectedOptions extends CommonOptions {
  readonly base: string;
  readonly format?: (typeof formats)[number];
}

/** `millrace affected`: lists the pipelines, entry points and tests that a change may affect. */
export const addAffected: AddCommand = (program, shell) => {
  defineCommand(program, 'affected', 'Show which pipelines, entry points and tests a change affects.')
    .option(
      '--base <ref>',
      'compare the files on disk with this commit; for a branch, with the merge base',
      'HEAD',
    )
    .option(
      '--format <format>',
      'text, json, markdown, matrix (the entry points, for a job matrix) or mermaid (a drawing)',
      oneOf(formats),
    )
    .action(commandAction<AffectedOptions>(shell, showAffected));
};

async function showAffected(session: Session, options: AffectedOptions): Promise<Outcome> {
  const { base: name, json = false, format = 'text' } = options;
  refuseFormat(options);
  const { affectedOf } = await import('../../tests/affected-tests.ts');
  const { affectedOutcome } = await import('../../../flows/data-graph/affected/report-affected.ts');
  const project = await openTests(session);
  const base = await openBase(session, project, name);
  const report = await affectedOf(session, project, base);
  session.output.result(
    report,
    json ? [] : await linesOf(report, `${name} (${base.commit.slice(0, 12)})`, format),
  );
  return affectedOutcome(report);
}

async function linesOf(
  report: AffectedReport,
  base: string,
  format: (typeof formats)[number],
): Promise<readonly string[]> {
  const { reportOfAffected } = await import('../../../flows/data-graph/affected/report-affected.ts');
  switch (format) {
    case 'json':
      return jsonLines(report);
    case 'matrix':
      return [JSON.stringify({ pipeline: report.entryPoints })];
    case 'mermaid': {
      const { affectedMermaid } = await import('../../../flows/data-graph/affected/mermaid.ts');
      return affectedMermaid(report).trimEnd().split('\n');
    }
    case 'markdown': {
      const { fileLimit, reportMarkdown } = await import('../../../lib/report/markdown.ts');
      return reportMarkdown(reportOfAffected(report, base), { limit: fileLimit }).split('\n');
    }
    case 'text': {
      const { terminalLines } = await import('../../../lib/report/terminal.ts');
      return terminalLines(reportOfAffected(report, base));
    }
  }
}
