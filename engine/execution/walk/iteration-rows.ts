import { parseNumber } from '../../core/written-number.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { type Grid, gridOf } from '../../../lib/pipelines/model/grid.ts';
import { iterationOf } from '../../../lib/pipelines/model/iterator.ts';
import { findGridColumn, knownColumns, readRows } from '../../parameters/read-rows.ts';
import { mockOf } from './find-mock.ts';
import { mockedRounds } from './mocked-rounds.ts';
import { parameterText } from '../run/parameter-text.ts';
import { refuseUnmocked, tableRounds } from './run-task.ts';
import type { ComponentFrame } from '../run/run.ts';
import type { StepDetails } from '../run/step-log.ts';
import type { ScriptedOutcome } from '../run/scripted-outcome.ts';
import type { Variables } from '../run/variables.ts';

/** One iteration: the variables that it sets, and their values. */
export type Round = Readonly<Record<string, string>>;

/**
 * The iterations of an iterator, or why it cannot run. Creates at most one more than `limit`. `show` gets what the step
 * shows of them.
 */
export async function iterationRounds(
  component: Component,
  frame: ComponentFrame,
  scripted: ScriptedOutcome | undefined,
  limit: number,
  show: (details: StepDetails) => void,
): Promise<readonly Round[] | string> {
  const { variables, run } = frame;
  const mocked = mockOf(component, frame)?.rows;
  if (mocked !== undefined) return mockedRounds(component, frame, mocked);
  if (component.type === 'table-iterator' && run.engine !== undefined && scripted?.rows === undefined) {
    const { rounds, details } = await tableRounds(component, frame, limit);
    show(details);
    return rounds;
  }
  if (component.type === 'file-iterator' && run.engine !== undefined && scripted?.rows === undefined) {
    return refuseUnmocked(component, frame);
  }
  const names = iterationOf(component)?.variables ?? [];
  const unknown = names.find((name) => variables.cell(name) === undefined);
  if (unknown !== undefined) return `the variable "${unknown}" is not defined`;
  const rows = rowsOf(component, frame, names, scripted, limit);
  if (typeof rows === 'string') return rows;
  return rows.slice(0, limit + 1).map((row) => roundOf(names, row));
}

function rowsOf(
  component: Component,
  frame: ComponentFrame,
  names: readonly string[],
  scripted: ScriptedOutcome | undefined,
  limit: number,
): Grid | string {
  if (scripted?.rows !== undefined) return scripted.rows;
  switch (component.type) {
    case 'fixed-iterator':
      return readRows(component.parameter('iterationValues'), frame.reader).map(({ cells }) =>
        cells.map(({ text }) => text),
      );
    case 'loop-iterator':
      return loopRows(component, frame, limit);
    case 'grid-iterator':
      return gridRows(component, frame.variables);
    default:
      // Tables and files are not simulated: one row, in which every variable keeps its value.
      return [names.map((name) => textValue(frame.variables, name))];
  }
}

function loopRows(component: Component, frame: ComponentFrame, limit: number): Grid | string {
  const read = (...parameters: readonly string[]) => {
    const written = parameters
      .map((name) => parameterText(component, name, frame))
      .find((text) => text !== undefined);
    return written === undefined || written === '' ? undefined : parseNumber(written);
  };
  const start = read('startingValue', 'startValue');
  const end = read('endValue', 'endingValue');
  const step = read('incrementValue', 'increment') ?? 1;
  if (start === undefined || end === undefined)
    return 'the loop needs startingValue and endValue, and one of them is not set';
  if (![start, end, step].every(Number.isFinite))
    return 'startingValue, endValue and incrementValue of the loop must be numbers, and one of them is not';
  if (step === 0) return 'incrementValue is 0, so the loop would not end; set it to another number';
  const count = Math.max(0, Math.floor((end - start) / step) + 1);
  return Array.from({ length: Math.min(count, limit + 1) }, (_, index) => [String(start + index * step)]);
}

function gridRows(component: Component, variables: Variables): Grid | string {
  const name = component.text('gridVariable') ?? '';
  const cell = variables.cell(name);
  if (cell === undefined) return `the variable "${name}" is not defined`;
  if (typeof cell.value === 'string') return `the variable "${name}" is not a grid`;
  const columns = gridOf(component.parameter('gridIteratorVariableMapping')).map((row, place) => {
    const column = row.length > 1 ? (row[0] ?? '') : '';
    // A grid without column names is read by position.
    const index = cell.columns.length === 0 || column === '' ? place : findGridColumn(cell.columns, column);
    return { column, index };
  });
  const lost = columns.find(({ index }) => index < 0);
  if (lost !== undefined) {
    return `the grid "${name}" has no column "${lost.column}"${knownColumns(cell.columns)}`;
  }
  return cell.value.map((row) => columns.map(({ index }) => row[index] ?? ''));
}

function roundOf(names: readonly string[], row: readonly string[]): Round {
  return Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']));
}

function textValue(variables: Variables, name: string): string {
  const value = variables.cell(name)?.value;
  return typeof value === 'string' ? value : '';
}
