import type { Component } from '../../lib/pipelines/component.ts';
import { gridOf } from '../../lib/pipelines/grid.ts';
import { resolveText } from './resolve-text.ts';
import { failure, type Frame, type Result, success } from './run.ts';

/** `update-scalar`: sets variables. A value in the platform's own language is left out, and the step says so. */
export function updateScalars(component: Component, { variables }: Frame): Result {
  const parts: string[] = [];
  for (const [name = '', value = ''] of gridOf(component.parameter('scalarsToUpdate'))) {
    const { text, partial } = resolveText(value, variables);
    if (partial) {
      parts.push(`${name} kept (its value cannot be computed here)`);
      continue;
    }
    const refusal = variables.set(name, text);
    if (refusal !== undefined) return failure(refusal);
    parts.push(`${name}=${text}`);
  }
  return success(parts.join(', '));
}

/** `append-to-grid`: adds rows to a grid variable. */
export function appendToGrid(component: Component, { variables }: Frame): Result {
  const name = component.text('targetGridVariable') ?? '';
  const cell = variables.cell(name);
  if (cell === undefined) return failure(`the variable "${name}" is not defined`);
  if (typeof cell.value === 'string') return failure(`the variable "${name}" is not a grid`);
  const rows = gridOf(component.parameter('valuesGrid')).map((row) =>
    row.map((text) => resolveText(text, variables).text),
  );
  cell.value = [...cell.value, ...rows];
  return success(`${rows.length} rows added to "${name}".`);
}

/** `print-variables`: the step's message is the output. */
export function printVariables(component: Component, { variables }: Frame): Result {
  const lines: string[] = [];
  for (const [name = ''] of gridOf(component.parameter('variablesToPrint'))) {
    const cell = variables.cell(name);
    if (cell === undefined) return failure(`the variable "${name}" is not defined`);
    lines.push(`${name}=${typeof cell.value === 'string' ? cell.value : JSON.stringify(cell.value)}`);
  }
  const prefix = resolveText(component.text('prefixText') ?? '', variables).text;
  return success(prefix + lines.join(', '));
}
