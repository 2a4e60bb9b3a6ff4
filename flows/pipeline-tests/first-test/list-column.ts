import type { FailedComponent } from '../../../engine/index.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { childOf, textOf } from '../../../lib/yaml/yaml-node.ts';
import type { TestParts } from './test-parts.ts';
import type { TestProject } from '../files/test-project.ts';
import { ownerOf, selectListOf } from './examples/variable-forms.ts';

/**
 * Adds a column that a component does not find in its input to the nearest source before it that lists columns: the
 * output of a mock, the rows of a grid, or a variable after SELECT. Returns false if there is none.
 */
export function listColumn(
  { listed }: Pick<TestParts, 'listed'>,
  { pipeline, component, message }: FailedComponent,
  project: TestProject,
): boolean {
  const [, name] = /column "([^"]+)" (?:was )?not found(?! in the table)/.exec(message) ?? [];
  const components = project.pipeline(pipeline)?.components;
  const failed = components?.get(component);
  if (name === undefined || components === undefined || failed === undefined) return false;
  const before = new Set(failed.sources);
  // The loop over a set also visits what the loop adds.
  for (const source of before) for (const input of components.get(source)?.sources ?? []) before.add(input);
  const owners = [...before].flatMap((source) => {
    const input = components.get(source);
    if (input === undefined) return [];
    const output = ownerOf(pipeline, source);
    return listed.has(output) ? [output] : listsOf(input, pipeline);
  });
  for (const owner of owners) {
    const columns = listed.get(owner) ?? new Set();
    listed.set(owner, columns);
    // The engine refuses columns whose names differ in case only.
    if ([...columns].some((column) => column.toLowerCase() === name.toLowerCase())) continue;
    columns.add(name);
    return true;
  }
  return false;
}

/** The variables that say which columns a component gives. */
function listsOf(component: Component, pipeline: string): readonly string[] {
  const grids = ['columnMappings', 'calculations'].flatMap((key) => {
    const fromGrid = childOf(component.parameter(key), 'fromGrid');
    return textOf(childOf(fromGrid, 'variable')) ?? [];
  });
  const list = selectListOf(component, pipeline);
  return [...grids.map((name) => ownerOf(pipeline, name)), ...(list === undefined ? [] : [list])];
}
