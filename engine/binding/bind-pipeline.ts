import type { DialectContext } from '../core/dialect.ts';
import { pipelineVariables, projectCells, refusedDefault } from '../execution/run/pipeline-variables.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import type { Variable } from '../../lib/pipelines/model/variable.ts';
import { bindOrchestration } from './bind-orchestration.ts';
import { bindTransformation } from './bind-transformation.ts';
import { statementTracer } from '../lineage/statement-tracer.ts';
import type { BindingContext } from './binder-types.ts';
import { type BindingProblem, type BoundPipeline, nothingBound } from './bound-pipeline.ts';
import { recordingWarehouse } from './recording-warehouse.ts';
import { symbolicVariables } from './symbolic-variables.ts';

/** The time that all clock functions return while pipelines are bound. */
const NOW = Date.UTC(2024, 0, 1);

/**
 * Finds out what a pipeline reads and writes by running it on empty tables. Called pipelines are not included: bind
 * each of them separately. For a file that cannot be read, the result is empty, and `problems` of the document say
 * why. Throws WarehouseStopped.
 */
export async function bindPipeline(
  document: PipelineDocument,
  context: BindingContext,
): Promise<BoundPipeline> {
  if (document.problems.length > 0) return nothingBound;
  const refused = [...document.variables.values()].filter(
    (variable) => refusedDefault(variable) !== undefined,
  );
  const declared = pipelineVariables(withoutDefaults(document, refused), projectCells(new Map()), {
    scalars: [],
    grids: [],
  });
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
  const starting = refused.flatMap((variable) =>
    context.setByCallers.has(variable.name) ? [] : startProblem(variable, document),
  );
  return { reads, writes, problems: [...starting, ...problems], unknown, open, lineage };
}

/** The pipeline without the default values that its variables do not allow. These variables then have no value. */
function withoutDefaults(document: PipelineDocument, refused: readonly Variable[]): PipelineDocument {
  if (refused.length === 0) return document;
  const variables = new Map(document.variables);
  for (const variable of refused) variables.set(variable.name, { ...variable, defaultValue: undefined });
  return { ...document, variables };
}

/** The problem that the pipeline cannot start unless a caller passes a value for the variable. */
function startProblem(variable: Variable, { path }: PipelineDocument): BindingProblem {
  const { line, column } = variable.range;
  return {
    component: undefined,
    place: { file: path, line, column },
    message: `the pipeline cannot start with the default values of its variables: ${refusedDefault(variable) ?? ''}`,
    code: undefined,
    column: undefined,
    tables: [],
  };
}
