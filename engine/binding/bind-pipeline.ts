import type { DialectContext } from '../core/dialect.ts';
import { projectCells, pipelineVariables } from '../execution/run/pipeline-variables.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { bindOrchestration } from './bind-orchestration.ts';
import { bindTransformation } from './bind-transformation.ts';
import { statementTracer } from '../lineage/statement-tracer.ts';
import type { BindingContext } from './binder-types.ts';
import { type BoundPipeline, nothingBound } from './bound-pipeline.ts';
import { recordingWarehouse } from './recording-warehouse.ts';
import { symbolicVariables } from './symbolic-variables.ts';

/** The time of all clock functions while pipelines are bound. */
const NOW = Date.UTC(2024, 0, 1);

/**
 * Learns what a pipeline reads and writes, by running it on empty tables. Called pipelines are left out: bind each by itself. A
 * file that cannot be read has nothing: its problems are findings of the review. Throws WarehouseStopped.
 */
export async function bindPipeline(
  document: PipelineDocument,
  context: BindingContext,
): Promise<BoundPipeline> {
  if (document.problems.length > 0) return nothingBound;
  const declared = pipelineVariables(document, projectCells(new Map()), { scalars: [], grids: [] });
  if ('refusal' in declared) return nothingBound;
  await context.warehouse.clear();
  await context.warehouse.createSchema(context.defaults.database, context.defaults.schema);
  // The clock of the warehouse stands still, too: it need not be set before each statement.
  const standing = context.warehouse.abortable(new AbortController().signal, () => NOW);
  const warehouse = recordingWarehouse(
    standing,
    context.traces === true ? statementTracer(standing) : undefined,
  );
  const variables = symbolicVariables(declared.variables.all(), context.setByCallers, NOW);
  const dialect: DialectContext = {
    warehouse: context.kind,
    catalog: warehouse.catalog,
    defaults: context.defaults,
    now: NOW,
    components: new Map(),
  };
  const bind = document.kind === 'transformation' ? bindTransformation : bindOrchestration;
  const { reads, writes, problems, unknown, open, lineage } = await bind(document, context, {
    warehouse,
    variables,
    dialect,
  });
  return { reads, writes, problems, unknown, open, lineage };
}
