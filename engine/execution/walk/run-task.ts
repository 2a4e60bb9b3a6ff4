import type { Component } from '../../../lib/pipelines/model/component.ts';
import { applyMock } from '../../orchestration/mocks/apply-mock.ts';
import { loadFromConnector } from '../../orchestration/mocks/load-from-connector.ts';
import { missingMock } from '../../orchestration/mocks/missing-mock.ts';
import type { Mock } from '../../orchestration/mocks/mock.ts';
import { outsideType, targetTable } from '../../orchestration/mocks/outside-types.ts';
import { noticeTexts } from '../../orchestration/task/notice-texts.ts';
import { readTableRounds } from '../../orchestration/components/table-rounds.ts';
import { parametersOf, runTask } from '../../orchestration/components/task-types.ts';
import type { Task, TaskResult } from '../../orchestration/task/task.ts';
import { atPlace } from '../../core/refusal.ts';
import type { EngineSettings } from '../run/engine-settings.ts';
import { mockKey } from './find-mock.ts';
import { type ComponentFrame, failure, type Result, success } from '../run/run.ts';
import { sqlDetails } from '../run/step-sql.ts';

/** Runs a component of an orchestration on the warehouse. */
export function runOnWarehouse(component: Component, frame: ComponentFrame): Promise<Result> {
  return withTask(component, frame, (task) => {
    const { connectors, loadRows } = engineOf(frame);
    const run = async () =>
      (connectors && (await loadFromConnector(task, connectors))) ??
      (loadRows && (await loadInPlace(task, loadRows))) ??
      runTask(task);
    const work = () => located(task, run);
    // A script that runs again after a repair must not find the tables that its first statements created.
    return frame.run.engine?.repair === undefined ? work() : task.warehouse.transaction(work);
  });
}

/** Undefined if the component loads nothing from outside, or if there are no rows for its target. */
async function loadInPlace(
  task: Task,
  loadRows: NonNullable<EngineSettings['loadRows']>,
): Promise<TaskResult | undefined> {
  const target = outsideType(task.component.type) === undefined ? undefined : targetTable(task);
  const message = target && (await loadRows(target, task.warehouse));
  return message === undefined ? undefined : { message };
}

/** Applies the mock of a component instead of running the component. */
export async function runMock(component: Component, frame: ComponentFrame, mock: Mock): Promise<Result> {
  frame.run.mocked += 1;
  if (mock.outcome === 'failure') return failure(mock.message ?? 'its mock has the result failure');
  const result = await withTask(component, frame, (task) => {
    for (const text of noticeTexts(component, task)) task.notice(text);
    return applyMock(task, mock);
  });
  return { ...result, isReplaced: true };
}

/** The iterations of a table iterator, and the details for its step. */
export async function tableRounds(component: Component, frame: ComponentFrame, limit: number) {
  const sql: string[] = [];
  const task = { ...openTask(component, frame, sql, []), maxRows: limit };
  const rounds = await located(task, () => task.warehouse.transaction(() => readTableRounds(task)));
  return { rounds, details: { rowsRead: rounds.length, ...sqlDetails(sql) } };
}

/**
 * Throws the refusal of a component that needs a mock. The hint contains the lines with which a test mocks the
 * component.
 */
export function refuseUnmocked(component: Component, frame: ComponentFrame): never {
  throw missingMock(openTask(component, frame, [], []));
}

async function withTask(
  component: Component,
  frame: ComponentFrame,
  work: (task: Task) => Promise<TaskResult>,
): Promise<Result> {
  const sql: string[] = [];
  const notices: string[] = [];
  const task = openTask(component, frame, sql, notices);
  const { message, rowsRead, rowsWritten } = await work(task);
  return { ...success(message), details: { rowsRead, rowsWritten, ...sqlDetails(sql), notices } };
}

/** Gives an error without a place the place of the component. */
async function located<Done>({ component, reader }: Task, work: () => Promise<Done>): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    const { line, column } = component.range;
    throw atPlace(error, { file: reader.source.file, line, column });
  }
}

function openTask(component: Component, frame: ComponentFrame, sql: string[], notices: string[]): Task {
  const { run, reader, variables, published, now } = frame;
  const engine = engineOf(frame);
  return {
    component,
    parameters: parametersOf(component),
    reader,
    dialect: {
      warehouse: engine.kind,
      catalog: engine.warehouse.catalog,
      defaults: engine.defaults,
      now,
      components: new Map(),
    },
    warehouse: engine.warehouse,
    variables,
    python: engine.python,
    signal: run.forced,
    files: (path) => published.files(path),
    maxRows: run.limits.iterations,
    mockKey: mockKey(component, frame),
    notice: (message) => void notices.push(message),
    runs: (text) => void sql.push(text),
  };
}

function engineOf({ run }: ComponentFrame): EngineSettings {
  if (run.engine === undefined) throw new Error('the execution has no warehouse');
  return run.engine;
}
