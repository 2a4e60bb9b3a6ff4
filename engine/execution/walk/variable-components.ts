import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { Grid } from '../../../lib/pipelines/model/grid.ts';
import { childOf, itemsOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { Refusal } from '../../core/refusal.ts';
import { readYesNo } from '../../parameters/parameter-reader.ts';
import {
  findGridColumn,
  knownColumns,
  readNames,
  readRows,
  refuseOtherThanPair,
} from '../../parameters/read-rows.ts';
import { parameterText } from '../run/parameter-text.ts';
import { type ComponentFrame, failure, type Result, success } from '../run/run.ts';

/** Runs an `update-scalar`, which sets variables in the order of the rows. */
export function updateScalars(component: Component, frame: ComponentFrame): Result {
  const { variables, run } = frame;
  const parts: string[] = [];
  for (const row of rowNodes(component.parameter('scalarsToUpdate'))) {
    const name = itemsOf(row)[0];
    try {
      // Each row by itself: it sees what the rows before it have set.
      for (const [target, text] of cellsOf(row, frame)) {
        const refusal = variables.set(target, text);
        if (refusal !== undefined) return failure(refusal);
        parts.push(`${target}=${text}`);
      }
    } catch (error) {
      if (!(error instanceof Refusal) || run.engine !== undefined) throw error;
      const written = name?.kind === 'scalar' ? name.text : '';
      parts.push(
        `${written} keeps its value, because the new one cannot be computed in a simulated execution`,
      );
    }
  }
  return success(parts.join(', '));
}

/** The rows of a list, each as a node of its own; rows from a grid are one node. */
function rowNodes(node: YamlNode | undefined): readonly YamlNode[] {
  if (childOf(node, 'fromGrid') !== undefined && node !== undefined) return [node];
  return itemsOf(node).map((item) => ({ kind: 'list', items: [item], start: item.start, end: item.end }));
}

function cellsOf(node: YamlNode, { reader, run }: ComponentFrame): readonly (readonly [string, string])[] {
  return readRows(node, reader).map((row) => {
    if (run.engine !== undefined) refuseOtherThanPair(row);
    const [name, value] = row.cells;
    return [name?.text ?? '', value?.text ?? ''];
  });
}

/** Runs an `append-to-grid`, which adds rows to a grid variable. */
export function appendToGrid(component: Component, frame: ComponentFrame): Result {
  expectOperation(component, frame, 'Append');
  const name = parameterText(component, 'targetGridVariable', frame) ?? '';
  const grid = gridOf(name, frame);
  if (typeof grid === 'string') return failure(grid);
  const rows = valueRows(component.parameter('valuesGrid'), frame);
  const refusal = frame.variables.setGrid(name, [...grid, ...rows]);
  if (refusal !== undefined) return failure(refusal);
  return success(`${rows.length} ${rows.length === 1 ? 'row' : 'rows'} added to "${name}".`);
}

/**
 * Runs a `remove-from-grid`, which removes rows from a grid variable. With `In`, it removes the rows whose key
 * columns equal the key columns of one of the given rows; with `Not In`, it removes all other rows.
 */
export function removeFromGrid(component: Component, frame: ComponentFrame): Result {
  const operation = expectOperation(component, frame, 'In', 'Not In');
  const name = parameterText(component, 'targetGridVariable', frame) ?? '';
  const grid = gridOf(name, frame);
  if (typeof grid === 'string') return failure(grid);
  const columns = frame.variables.cell(name)?.columns ?? [];
  const keys = readNames(component.parameter('keyColumns'), frame.reader).map(({ text }) => text);
  if (keys.length === 0)
    return failure('the parameter `keyColumns` is empty: list the columns that identify a row');
  const places = keys.map((key) => findGridColumn(columns, key));
  const missing = keys[places.indexOf(-1)];
  if (missing !== undefined)
    return failure(`the grid "${name}" has no column "${missing}"${knownColumns(columns)}`);
  const values = valueRows(component.parameter('valuesGrid'), frame);
  const odd = values.find((row) => row.length !== keys.length);
  if (odd !== undefined && frame.run.engine !== undefined) {
    const counts = `${numberOf(odd.length, 'value')}, but keyColumns has ${numberOf(keys.length, 'column')}`;
    return failure(`a row of valuesGrid has ${counts}: give one value for each`);
  }
  const listedRows = new Set(values.map((row) => JSON.stringify(keys.map((_, index) => row[index] ?? ''))));
  const isListed = (row: readonly string[]) =>
    listedRows.has(JSON.stringify(places.map((place) => row[place] ?? '')));
  const kept = grid.filter((row) => isListed(row) === (operation === 'Not In'));
  frame.variables.setGrid(name, kept);
  const count = grid.length - kept.length;
  return success(`${count} ${count === 1 ? 'row' : 'rows'} removed from "${name}".`);
}

/** Runs a `print-variables`. The message of its step contains the variables and their values. */
export function printVariables(component: Component, frame: ComponentFrame): Result {
  const { variables, reader } = frame;
  const named = readYesNo(component.parameter('includeVariableName'), reader, true);
  const lines: string[] = [];
  for (const { cells } of readRows(component.parameter('variablesToPrint'), reader)) {
    const name = cells[0]?.text ?? '';
    const cell = variables.cell(name);
    if (cell === undefined) return failure(`the variable "${name}" is not defined`);
    const value = typeof cell.value === 'string' ? cell.value : JSON.stringify(cell.value);
    lines.push(named ? `${name}=${value}` : value);
  }
  return success((parameterText(component, 'prefixText', frame) ?? '') + lines.join(', '));
}

/** The rows of a grid variable, or why there are none. */
function gridOf(name: string, { variables }: ComponentFrame): Grid | string {
  const cell = variables.cell(name);
  if (cell === undefined) return `the variable "${name}" is not defined`;
  return typeof cell.value === 'string' ? `the variable "${name}" is not a grid` : cell.value;
}

function valueRows(node: YamlNode | undefined, { reader }: ComponentFrame): Grid {
  return readRows(node, reader).map(({ cells }) => cells.map(({ text }) => text));
}

/** The other operations of these components are not known. The first one is the default. */
function expectOperation(
  component: Component,
  frame: ComponentFrame,
  ...operations: readonly [string, ...string[]]
): string {
  const operation = parameterText(component, 'operation', frame) ?? operations[0];
  const match = operations.find((each) => each.toLowerCase() === operation.trim().toLowerCase());
  if (match !== undefined) return match;
  const { line, column } = component.range;
  const place = { file: frame.document.path, line, column };
  const hint = `use ${operations.join(' or ')}`;
  throw new Refusal(`${component.type} with the operation "${operation}"`, place, hint);
}
