import { existingTable } from '../components/find-table.ts';
import type { DialectContext } from '../core/dialect.ts';
import { Refusal } from '../core/refusal.ts';
import { defaultsAfter, usesOfStatement } from '../dialect/translate.ts';
import { readTableRounds } from '../orchestration/components/table-rounds.ts';
import { parametersOf, runTask } from '../orchestration/components/task-types.ts';
import { runStatement } from '../orchestration/task/run-script.ts';
import type { Task } from '../orchestration/task/task.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { createBinder } from './binder.ts';
import type { Binder, BindingContext, Part } from './binder-types.ts';
import { usesOf } from './part-tables.ts';
import { reachableInOrder } from './reachable-components.ts';
import type { RecordingWarehouse } from './recording-warehouse.ts';
import { statementsOf } from './script-statements.ts';
import type { SymbolicVariables } from './symbolic-variables.ts';
import { controlTypes, scriptTypes, usesOfTask } from './table-roles.ts';
import { variablesSetBy } from './variables-set-by.ts';

/**
 * Binds the components of an orchestration: runs them on empty tables to learn which tables and columns they use.
 * Only components that are reachable from a start component are bound, each after the components that lead to it.
 * Both branches of a condition are bound, and the target of an iterator is bound once.
 */
export async function bindOrchestration(
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
  const binder = createBinder(context, {
    warehouse,
    variables,
    reader,
    blame: (error, { component }) => ({ error, component: component.name }),
  });
  const components = reachableInOrder(document).filter(({ skipped }) => !skipped);
  // Branches run at the same time: what sets a variable may come before all that is not its source.
  variables.forget(components.flatMap((component) => variablesSetBy(component, variables, context.files)));
  for (const component of components) {
    const task = taskOf(component, { binder, dialect, context });
    if (component.type === 'table-iterator') await binder.bind(partOf(task), () => readTableRounds(task));
    else if (scriptTypes.has(component.type)) await bindScript(task, binder);
    else if (component.type === 'assert-table') await binder.bind(partOf(task), async () => lookUp(task));
    else if (!controlTypes.has(component.type)) await binder.bind(partOf(task), () => runTask(task));
  }
  return binder;
}

/** Binds each statement separately, so that a statement that cannot be bound does not hide those after it. */
async function bindScript(task: Task, binder: Binder): Promise<void> {
  let count = 0;
  const isRead = await binder.bind(partOf(task), async () => {
    count = statementsOf(task).length;
  });
  if (!isRead) return;
  let { defaults } = task.dialect;
  for (let index = 0; index < count; index += 1) {
    const before = defaults;
    // Reads the script again: what replaces unknown values changes from attempt to attempt.
    const read = () => statementsOf(task)[index]?.read();
    const part: Part = {
      component: task.component,
      place: statementsOf(task)[index]?.place ?? partOf(task).place,
      uses() {
        const source = statementsOf(task)[index]?.source;
        if (source === undefined) return { writes: [], others: 'none' };
        const { targets, reads, others } = usesOfStatement(source, { ...task.dialect, defaults: before });
        const writes = targets.map(({ table, effect, isReplaced }) => ({ table, mode: effect, isReplaced }));
        return { writes, reads, others, text: source.text };
      },
    };
    await binder.bind(part, async () => {
      defaults = before;
      for (const translated of read()?.translate(before) ?? []) {
        if (translated.kind === 'no-effect' && usesOf(part).others !== 'none')
          throw new Refusal(`the SQL of ${translated.what}`, part.place, 'the warehouse runs it later');
        await runStatement(translated, task);
        defaults = defaultsAfter(translated, before);
      }
    });
  }
}

/**
 * Throws SqlError if the table does not exist, so that it is created if something outside the pipeline defines it.
 */
async function lookUp(task: Task): Promise<void> {
  existingTable(task, 'tableName');
}

function partOf(task: Task): Part {
  const { component, reader } = task;
  const { line, column } = component.range;
  return {
    component,
    place: { file: reader.source.file, line, column },
    uses: () => usesOfTask(task),
  };
}

function taskOf(
  component: Component,
  {
    binder,
    dialect,
    context,
  }: { readonly binder: Binder; readonly dialect: DialectContext; readonly context: BindingContext },
): Task {
  const { variables, warehouse, reader } = binder;
  return {
    component,
    parameters: parametersOf(component),
    reader,
    dialect: {
      ...dialect,
      noteColumn: (table, column) => binder.noteColumn(table, column),
      missingColumn: binder.missingColumn,
    },
    warehouse,
    variables: {
      cell: (name) => variables.declared(name),
      all: () => new Map(),
      set(name) {
        variables.forget([name]);
        return undefined;
      },
      setGrid(name) {
        variables.forget([name]);
        return undefined;
      },
    },
    python: undefined,
    signal: new AbortController().signal,
    files: context.files,
    maxRows: 1000,
    mockKey: component.name,
    notice: () => undefined,
    runs: () => undefined,
  };
}
