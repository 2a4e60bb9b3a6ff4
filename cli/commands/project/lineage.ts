import type { ColumnGraph } from '../../../flows/data-graph/lineage/column-graph.ts';
import type { LineageReport } from '../../../flows/data-graph/lineage/lineage-report.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { type AddCommand, commandAction, defineCommand, oneOf } from '../../kit/command.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { jsonLines } from '../../terminal/json-lines.ts';
import { openTests } from '../../tests/open-tests.ts';
import { refuseFormat } from '../../tests/refuse-format.ts';

const formats = ['text', 'json', 'mermaid', 'openlineage'] as const;

interface LineageOptions extends CommonOptions {
  readonly up?: boolean;
  readonly down?: boolean;
  readonly format?: (typeof formats)[number];
  readonly namespace: string;
}

/** `millrace lineage`: shows where a column comes from, and who reads it. */
export const addLineage: AddCommand = (program, shell) => {
  defineCommand(program, 'lineage', 'Show where a column comes from, and who reads it.')
    .argument(
      '[table]',
      'a table, or a column as TABLE.COLUMN or DATABASE.SCHEMA.TABLE.COLUMN; required, except with --format openlineage',
    )
    .option('--up', 'show only where it comes from')
    .option('--down', 'show only who reads it')
    .option('--format <format>', formats.join(', '), oneOf(formats))
    .option('--namespace <name>', 'the namespace of the datasets of --format openlineage', 'millrace')
    .action(commandAction<LineageOptions>(shell, showLineage));
};

async function showLineage(session: Session, options: LineageOptions, name?: string): Promise<Outcome> {
  const { json = false, format = 'text' } = options;
  refuseFormat(options);
  if (name === undefined && format !== 'openlineage') throw missingName();
  const { bindProject } = await import('../../../flows/data-graph/bind/bind-project.ts');
  const { columnGraph } = await import('../../../flows/data-graph/lineage/column-graph.ts');
  const { findColumn } = await import('../../../flows/data-graph/lineage/find-column.ts');
  const { traceLineage } = await import('../../../flows/data-graph/lineage/lineage.ts');
  const project = await openTests(session);
  const graph = await bindProject(project, { signal: session.flow.signal, traces: true });
  const columns = columnGraph(graph);
  const directions = {
    up: options.down !== true || options.up === true,
    down: options.up !== true || options.down === true,
  };
  const report =
    name === undefined ? undefined : traceLineage(columns, findColumn(columns, name), directions);
  if (format === 'openlineage') {
    session.output.result({}, await eventLines(session, columns, report, options));
    return 'passed';
  }
  if (report === undefined) throw missingName();
  session.output.result(report, json ? [] : await linesOf(report, columns, format, directions));
  return 'passed';
}

function missingName(): Failure {
  return new Failure('usage', {
    message: 'The name of a table or of a column is missing.',
    where: { input: 'table' },
    hint: 'Give a table or a column, such as `millrace lineage CUSTOMERS.COUNTRY`.',
  });
}

async function eventLines(
  session: Session,
  columns: ColumnGraph,
  report: LineageReport | undefined,
  { namespace }: LineageOptions,
): Promise<readonly string[]> {
  const { openLineageEvents } = await import('../../../flows/data-graph/lineage/open-lineage.ts');
  const now = session.flow.clock.now();
  return openLineageEvents(columns, { namespace, now, report }).map((event) => JSON.stringify(event));
}

async function linesOf(
  report: LineageReport,
  { graph }: ColumnGraph,
  format: Exclude<(typeof formats)[number], 'openlineage'>,
  directions: { readonly up: boolean; readonly down: boolean },
): Promise<readonly string[]> {
  const { kind, defaults } = graph.project;
  switch (format) {
    case 'json':
      return jsonLines(report);
    case 'mermaid': {
      const { lineageMermaid } = await import('../../../flows/data-graph/lineage/lineage-mermaid.ts');
      return lineageMermaid(report, kind);
    }
    case 'text': {
      const { lineageLines } = await import('../../../flows/data-graph/lineage/lineage-lines.ts');
      return lineageLines(report, { kind, defaults, ...directions });
    }
  }
}
