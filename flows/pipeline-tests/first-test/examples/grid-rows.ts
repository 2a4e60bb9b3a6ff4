import type { Component } from '../../../../lib/pipelines/model/component.ts';
import { gridOf } from '../../../../lib/pipelines/model/grid.ts';
import type { PipelineDocument } from '../../../../lib/pipelines/model/read-pipeline.ts';
import { childOf, itemsOf, textOf, type YamlNode } from '../../../../lib/yaml/yaml-node.ts';
import type { TestProject } from '../../files/test-project.ts';
import { calledBy, ownerOf } from './variable-forms.ts';

/** How a component uses the columns of a grid. */
interface GridUse {
  /** The parameter that the grid fills. */
  readonly key: string;
  readonly component: Component;
  /** The grid of the pipeline that has this component. */
  readonly owner: string;
  /** The columns of the grid, by their place in the parameter. */
  readonly columns: readonly string[];
}

/**
 * The uses of a grid in a pipeline and in the pipelines that it calls, with the column names in the pipeline
 * itself.
 */
export function usesOfGrid(
  name: string,
  document: PipelineDocument,
  project: TestProject,
  seen: ReadonlySet<string> = new Set(),
): readonly GridUse[] {
  const owner = ownerOf(document.path, name);
  if (seen.has(owner)) return [];
  const next = new Set([...seen, owner]);
  return [...document.components.values()].flatMap((component) => [
    ...directUses(name, component, owner),
    ...passedUses(name, component, project, next),
  ]);
}

function directUses(name: string, component: Component, owner: string): readonly GridUse[] {
  if (component.type === 'grid-iterator' && component.text('gridVariable') === name) {
    const columns = gridOf(component.parameter('gridIteratorVariableMapping')).map(([column = '']) => column);
    return [{ key: 'gridIteratorVariableMapping', component, owner, columns }];
  }
  const parameters = component.node('parameters');
  if (parameters?.kind !== 'map') return [];
  return [...parameters.entries].flatMap(([key, { value }]) => {
    const columns = columnsFrom(value, name);
    return columns === undefined ? [] : [{ key, component, owner, columns }];
  });
}

/** The columns that `{ fromGrid: { variable, columns } }` takes from a grid. */
function columnsFrom(node: YamlNode | undefined, name: string): readonly string[] | undefined {
  const fromGrid = childOf(node, 'fromGrid');
  if (fromGrid === undefined || textOf(childOf(fromGrid, 'variable')) !== name) return undefined;
  return itemsOf(childOf(fromGrid, 'columns')).flatMap((item) => textOf(item) ?? []);
}

/** Uses in a called pipeline; its grid has the passed columns by their places. */
function passedUses(
  name: string,
  component: Component,
  project: TestProject,
  seen: ReadonlySet<string>,
): readonly GridUse[] {
  const called = calledBy(component, project);
  if (called === undefined) return [];
  return itemsOf(component.parameter('setGridVariables')).flatMap((item) => {
    const columns = columnsFrom(childOf(item, 'gridValues'), name);
    const inner = textOf(childOf(item, 'variable')) ?? '';
    const innerColumns = called.variables.get(inner)?.columns ?? [];
    if (columns === undefined) return [];
    return usesOfGrid(inner, called, project, seen).map((use) => ({
      ...use,
      columns: use.columns.map((column) => columns[innerColumns.indexOf(column)] ?? ''),
    }));
  });
}

/** What the cells of a grid's column are used for; undefined if any value may fit. */
export type CellRole =
  | { readonly kind: 'column' }
  | { readonly kind: 'input-column'; readonly alias: string }
  | { readonly kind: 'type' }
  | { readonly kind: 'size' }
  | { readonly kind: 'expression' }
  | { readonly kind: 'variable'; readonly name: string };

/** Finds out what a grid's column is used for. */
export function roleOf(column: string, uses: readonly GridUse[]): CellRole | undefined {
  for (const { key, component, columns } of uses) {
    const at = columns.indexOf(column);
    const role = at < 0 ? undefined : roleAt(key, at, component);
    if (role !== undefined) return role;
  }
  return undefined;
}

function roleAt(key: string, at: number, component: Component): CellRole | undefined {
  if (key === 'gridIteratorVariableMapping') {
    const name = gridOf(component.parameter(key))[at]?.[1];
    return name === undefined ? undefined : { kind: 'variable', name };
  }
  if (key === 'columnMappings' && at === 0) {
    return { kind: 'input-column', alias: component.text('mainTableAlias') ?? '' };
  }
  if (key === 'columns' && component.type.startsWith('create-table')) {
    return { kind: at === 0 ? 'column' : at === 1 ? 'type' : 'size' };
  }
  if (key === 'calculations' && at === 0) return { kind: 'expression' };
  return columnKeys.has(key) ? { kind: 'column' } : undefined;
}

const columnKeys: ReadonlySet<string> = new Set([
  'columnNames',
  'columnMapping',
  'columnMappings',
  'columns',
  'columnsToNarrow',
  'calculations',
  'compareColumns',
  'groupingColumns',
  'groupings',
  'insertMapping',
  'matchKeys',
  'orderBy',
  'orderingWithinPartitions',
  'partitionData',
  'primaryKeys',
  'tableColumns',
  'updateMapping',
]);
