import { existingTable } from '../components/find-table.ts';
import type { DialectContext } from '../core/dialect.ts';
import { Refusal } from '../core/refusal.ts';
import { startOf } from '../core/source-text.ts';
import { defaultsAfter, type ScriptStatement, splitScript } from '../dialect/translate.ts';
import { readTableRounds } from '../orchestration/components/table-rounds.ts';
import { readScriptOf } from '../orchestration/components/sql-executor.ts';
import { parametersOf, runTask } from '../orchestration/components/task-types.ts';
import { targetTable } from '../orchestration/mocks/outside-types.ts';
import { runStatement } from '../orchestration/task/run-script.ts';
import type { Task } from '../orchestration/task/task.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import { componentGraph } from '../../lib/pipelines/model/graph.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { flowTypes } from '../../lib/pipelines/model/component-types.ts';
import { createBinder } from './binder.ts';
import type { Binder, BindingContext, Part } from './binder-types.ts';
import type { WriteMode } from './bound-pipeline.ts';
import { splitText } from './split-text.ts';
import type { RecordingWarehouse } from './recording-warehouse.ts';
import type { SymbolicVariables } from './symbolic-variables.ts';
import { variablesSetBy } from './variables-set-by.ts';

const controlTypes: ReadonlySet<string> = new Set(flowTypes);
/** What types do with the table that their parameters name, if they cannot be bound; all others define it. */
const modes: Readonly<Record<string, WriteMode>> = {
  // They need a mock, and load rows into a table that exists.
  's3-load': 'insert',
  'azure-blob-storage-load': 'insert',
  'delete-tables': 'drop',
};
/** Types whose parameters name a table that they read. */
const readers: ReadonlySet<string> = new Set([
  'query-to-scalar',
  'query-to-grid',
  'table-metadata-to-grid',
  'table-iterator',
  'assert-table',
]);
const scriptTypes: ReadonlySet<string> = new Set(['sql-executor', 'sql-script']);

/**
 * Binds the components of an orchestration that a start leads to, in an order in which each comes after those that lead to it.
 * Both branches of a condition are bound, and what an iterator repeats is bound once.
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

/** Binds each statement by itself: what cannot be bound does not hide what follows. */
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
      fallback() {
        const targets = read()?.targets(before) ?? [];
        return targets.map(({ table, effect }) => ({ table, mode: effect }));
      },
    };
    await binder.bind(part, async () => {
      defaults = before;
      for (const translated of read()?.translate(before) ?? []) {
        await runStatement(translated, task);
        defaults = defaultsAfter(translated, before);
      }
    });
  }
}

interface Statement {
  readonly place: Part['place'];
  /** Throws Refusal and SqlError. */
  read(): ScriptStatement | undefined;
}

/** The statements of a script. One that contains something that cannot be read at all does not hide the others. */
function statementsOf(task: Task): readonly Statement[] {
  const source = readScriptOf(task);
  try {
    return splitScript(source, task.dialect).map((statement) => ({
      place: source.placeOf(statement.offset),
      read: () => statement,
    }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return splitText(source).map((text) => ({
      place: startOf(text),
      read: () => splitScript(text, task.dialect)[0],
    }));
  }
}

/** Throws SqlError if there is no such table, so that it is created if something outside of the pipeline defines it. */
async function lookUp(task: Task): Promise<void> {
  existingTable(task, 'tableName');
}

function partOf(task: Task): Part {
  const { component, reader } = task;
  const { line, column } = component.range;
  return {
    component,
    place: { file: reader.source.file, line, column },
    fallback() {
      if (readers.has(component.type)) return [];
      const table = targetTable(task);
      return table === undefined ? [] : [{ table, mode: modes[component.type] ?? 'define' }];
    },
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
    dialect: { ...dialect, noteColumn: (table, column) => binder.noteColumn(table, column) },
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

/** Components that a start leads to, each after those that lead to it; the components of a loop in the order of the file. */
function reachableInOrder(document: PipelineDocument): readonly Component[] {
  const graph = componentGraph(document);
  const order: Component[] = [];
  const seen = new Set<string>();
  const visit = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const { to } of graph.from(name).toReversed()) visit(to);
    const component = document.components.get(name);
    if (component !== undefined) order.push(component);
  };
  for (const { name, type } of document.components.values()) if (type === 'start') visit(name);
  return order.toReversed();
}
