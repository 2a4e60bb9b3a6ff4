import type { DialectContext } from '../core/dialect.ts';
import { SqlError } from '../core/refusal.ts';
import { cycleMessage, sourceOrder } from '../execution/walk/source-order.ts';
import { ComponentFailure, openTransformation } from '../transformation/open-transformation.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { createBinder } from './binder.ts';
import type { Binder, BindingContext, Part } from './binder-types.ts';
import type { RecordingWarehouse } from './recording-warehouse.ts';
import type { SymbolicVariables } from './symbolic-variables.ts';
import { usesOfComponent } from './table-roles.ts';

/**
 * Binds the components of a transformation: runs them on empty tables to learn which tables and columns they use. A
 * component is bound after its sources. If a component cannot be bound, the components that read from it are unknown.
 */
export async function bindTransformation(
  document: PipelineDocument,
  context: BindingContext,
  {
    warehouse,
    variables,
    dialect,
  }: {
    readonly warehouse: RecordingWarehouse;
    readonly variables: SymbolicVariables;
    readonly dialect: DialectContext;
  },
): Promise<Binder> {
  const reader = { source: document.source, variables, scope: variables.scope };
  const binder = createBinder(context, { warehouse, variables, reader, blame });
  const placed = (component: Component) => ({
    component,
    place: { file: document.source.file, line: component.range.line, column: component.range.column },
    uses: () => usesOfComponent(component, { reader, dialect }),
  });
  const sorted = sourceOrder(document);
  if ('cycle' in sorted) {
    await bindCycle(document, sorted.cycle, { binder, placed });
    return binder;
  }
  const transformation = openTransformation({
    document,
    warehouse,
    kind: context.kind,
    defaults: context.defaults,
    now: variables.scope.now,
    reader,
    outputs: new Map(),
    countsReads: false,
    noteColumn: (table, column) => binder.noteColumn(table, column),
    missingColumn: binder.missingColumn,
    searchTables: (pattern, matches) => binder.searchTables(pattern, matches),
  });
  const unbound = new Set<string>();
  for (const component of sorted.order) {
    // Nothing runs it: what reads it gets no rows.
    if (component.skipped) continue;
    const part: Part = {
      ...placed(component),
      sources: component.sources,
      output: () => transformation.columnsOf(component.name),
      componentOf: (sqlName) => transformation.componentOf(sqlName),
    };
    const source = component.sources.find((name) => unbound.has(name));
    if (source !== undefined)
      binder.skip(part, `the component "${source}", which it reads from, could not be checked`);
    else if (await binder.bind(part, () => transformation.run(component))) continue;
    unbound.add(component.name);
  }
  return binder;
}

/**
 * Reports a cycle of sources as a problem of the first component in the cycle. A transformation with such a cycle
 * fails before any component runs.
 */
async function bindCycle(
  document: PipelineDocument,
  cycle: readonly string[],
  { binder, placed }: { readonly binder: Binder; readonly placed: (component: Component) => Part },
): Promise<void> {
  const message = cycleMessage(document, cycle);
  for (const component of document.components.values()) {
    if (component.name === cycle[0])
      await binder.bind(placed(component), () => Promise.reject(new SqlError(message)));
    else if (!component.skipped) binder.skip(placed(component), 'the sources of its components form a cycle');
  }
}

function blame(error: unknown, { component }: Part) {
  if (!(error instanceof ComponentFailure)) return { error, component: component.name };
  return { error: error.cause, component: error.component };
}
