import {
  addDecimals,
  compareDecimals,
  type Decimal,
  plainDecimal,
} from '../../../lib/core/values/decimal.ts';
import { parseWritten } from '../../core/written-number.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { type Grid, gridOf } from '../../../lib/pipelines/model/grid.ts';
import { iterationOf } from '../../../lib/pipelines/model/iterator.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { findGridColumn, knownColumns, readRows } from '../../parameters/read-rows.ts';
import { mockOf } from './find-mock.ts';
import { mockedRounds } from './mocked-rounds.ts';
import { parameterText } from '../run/parameter-text.ts';
import { refuseUnmocked, tableRounds } from './run-task.ts';
import type { ComponentFrame } from '../run/run.ts';
import type { StepDetails } from '../run/step-log.ts';
import type { ScriptedOutcome } from '../run/scripted-outcome.ts';
import type { Variables } from '../run/variables.ts';

/** The variables that one iteration of an iterator sets, and their values. */
export type Round = Readonly<Record<string, string>>;

/**
 * The iterations of an iterator, or the reason why the iterator cannot run. Returns at most one iteration more than
 * `limit`. `show` is called with the details of the iterator's step.
 */
export async function iterationRounds(
  component: Component,
  frame: ComponentFrame,
  scripted: ScriptedOutcome | undefined,
  limit: number,
  show: (details: StepDetails) => void,
): Promise<readonly Round[] | string> {
  const { run } = frame;
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
  const { names, rows } = mappedRows(component, frame, scripted, limit);
  if (typeof rows === 'string') return rows;
  const fault = namesFault(frame, names);
  if (fault !== undefined) return fault;
  return rows.slice(0, limit + 1).map((row) => roundOf(names, row));
}

/** The variables of an iterator, and its rows: a value for each of the variables. Or why there are none. */
interface MappedRows {
  readonly names: readonly string[];
  readonly rows: Grid | string;
}

function mappedRows(
  component: Component,
  frame: ComponentFrame,
  scripted: ScriptedOutcome | undefined,
  limit: number,
): MappedRows {
  const names = iterationOf(component)?.variables ?? [];
  if (scripted?.rows !== undefined) return { names, rows: scripted.rows };
  switch (component.type) {
    case 'fixed-iterator':
      return fixedRows(component, frame);
    case 'loop-iterator':
      return { names, rows: loopRows(component, frame, limit) };
    case 'grid-iterator':
      return gridRows(component, frame);
    default:
      // Tables and files are not simulated: one row, in which every variable keeps its value.
      return { names, rows: [names.map((name) => textValue(frame.variables, name))] };
  }
}

/** Why the variables of an iterator cannot be set: one does not exist, or is named twice, so that one of its values would be lost. */
function namesFault({ variables, run }: ComponentFrame, names: readonly string[]): string | undefined {
  const unknown = names.find((name) => variables.cell(name) === undefined);
  if (unknown !== undefined) return `the variable "${unknown}" is not defined`;
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined || run.engine === undefined) return undefined;
  return `the variable "${twice}" is set twice in each iteration: remove one of the two`;
}

function fixedRows(component: Component, { reader, run }: ComponentFrame): MappedRows {
  const names = gridOf(component.parameter('variablesToIterate')).map(([name = '']) => name);
  const rows = readRows(component.parameter('iterationValues'), reader).map(({ cells, place }) => {
    if (run.engine !== undefined && cells.length !== names.length) {
      const counts = `${numberOf(cells.length, 'value')}, but variablesToIterate has ${numberOf(names.length, 'variable')}`;
      throw new ParameterError(`a row of iterationValues has ${counts}: give one value for each`, place);
    }
    return cells.map(({ text }) => text);
  });
  return { names, rows };
}

/** The values are exact decimals, as they are written: after 0.1 and 0.2 comes 0.3. */
function loopRows(component: Component, frame: ComponentFrame, limit: number): Grid | string {
  const read = (name: string, otherName: string) => {
    const [written = '', other = ''] = [name, otherName].map((each) => parameterText(component, each, frame));
    if (written !== '' && other !== '' && written !== other && frame.run.engine !== undefined)
      throw new ParameterError(
        `${name} and ${otherName} mean the same, but have different values: remove one of the two`,
        { file: frame.document.path, line: component.range.line, column: component.range.column },
      );
    return written === '' ? other : written;
  };
  const texts = [read('startingValue', 'startValue'), read('endValue', 'endingValue')] as const;
  if (texts.includes('')) return 'the loop needs startingValue and endValue, but one of them is not set';
  const [start, end] = [parseWritten(texts[0]), parseWritten(texts[1])];
  const step = parseWritten(read('incrementValue', 'increment') || '1');
  if (start === undefined || end === undefined || step === undefined)
    return 'startingValue, endValue and incrementValue of the loop must be numbers, but one of them is not';
  if (step.units === 0n) return 'incrementValue is 0, so the loop would not end; set it to another number';
  const rows: (readonly [string])[] = [];
  const isBeyond = (value: Decimal) => compareDecimals(value, end) * (step.units > 0n ? 1 : -1) > 0;
  for (let value = start; !isBeyond(value) && rows.length <= limit; value = addDecimals(value, step))
    rows.push([plainDecimal(value)]);
  return rows;
}

function gridRows(component: Component, { variables }: ComponentFrame): MappedRows {
  const name = component.text('gridVariable') ?? '';
  const mapping = gridOf(component.parameter('gridIteratorVariableMapping')).map((row, place) => {
    const [column = '', variable = ''] = row.length > 1 ? row : ['', row[0]];
    return { column, variable, place };
  });
  const names = mapping.map(({ variable }) => variable);
  const cell = variables.cell(name);
  if (cell === undefined) return { names, rows: `the variable "${name}" is not defined` };
  if (typeof cell.value === 'string') return { names, rows: `the variable "${name}" is not a grid` };
  const columns = mapping.map(({ column, place }) => ({
    column,
    // A grid without column names is read by position.
    index: cell.columns.length === 0 || column === '' ? place : findGridColumn(cell.columns, column),
  }));
  const lost = columns.find(({ index }) => index < 0);
  if (lost !== undefined) {
    return { names, rows: `the grid "${name}" has no column "${lost.column}"${knownColumns(cell.columns)}` };
  }
  return { names, rows: cell.value.map((row) => columns.map(({ index }) => row[index] ?? '')) };
}

function roundOf(names: readonly string[], row: readonly string[]): Round {
  return Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']));
}

function textValue(variables: Variables, name: string): string {
  const value = variables.cell(name)?.value;
  return typeof value === 'string' ? value : '';
}
