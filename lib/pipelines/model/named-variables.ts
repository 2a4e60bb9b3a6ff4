import { childOf, itemsOf, type YamlNode, type YamlScalar } from '../../yaml/yaml-node.ts';
import type { Component } from './component.ts';

/** By type of component and parameter: which cell of its rows names a variable; `text`: the whole parameter does. */
const parameters: Readonly<Record<string, readonly (readonly [parameter: string, at: number | 'text'])[]>> = {
  'update-scalar': [['scalarsToUpdate', 0]],
  'print-variables': [['variablesToPrint', 0]],
  'append-to-grid': [['targetGridVariable', 'text']],
  'remove-from-grid': [['targetGridVariable', 'text']],
  'query-to-scalar': [['scalarVariableMapping', 0]],
  'query-to-grid': [['gridVariable', 'text']],
  'table-metadata-to-grid': [['gridVariable', 'text']],
};

/** A variable that a component names without `${…}`, and the node of its name. */
export interface NamedVariable {
  readonly name: string;
  readonly node: YamlScalar;
}

/**
 * The variables of its own pipeline that a component names without `${…}`, because it sets, compares or reads them
 * as a grid. For variables of iterators, see `iterationOf`. A name that contains a variable is left out.
 */
export function namedVariables(component: Component): readonly NamedVariable[] {
  const own = Object.hasOwn(parameters, component.type) ? parameters[component.type] : undefined;
  const isSimpleIf =
    component.type === 'if' && (component.text('mode') ?? 'simple').trim().toLowerCase() === 'simple';
  const updated = childOf(component.node('postProcessing'), 'updateScalarVariables');
  return [
    ...(own ?? []).flatMap(([name, at]) => cellsOf(component.parameter(name), at)),
    ...(isSimpleIf ? cellsOf(component.parameter('condition'), 0) : []),
    ...gridsIn(component.node('parameters')),
    ...cellsOf(updated, 0),
    ...gridsIn(updated),
  ].flatMap((node) => {
    const name = node.text;
    return node.value === null || name === '' || name.includes('${') ? [] : [{ name, node }];
  });
}

function cellsOf(node: YamlNode | undefined, at: number | 'text'): readonly YamlScalar[] {
  const nodes =
    at === 'text' ? [node] : itemsOf(node).map((row) => (row.kind === 'list' ? row.items : [row])[at]);
  return nodes.flatMap((each) => (each?.kind === 'scalar' ? each : []));
}

/** The variables of `fromGrid`, whose rows are the value of a parameter. The depth is bounded by the reader. */
function gridsIn(node: YamlNode | undefined): readonly YamlScalar[] {
  if (node === undefined || node.kind === 'scalar') return [];
  if (node.kind === 'list') return node.items.flatMap(gridsIn);
  return [...node.entries].flatMap(([key, { value }]) =>
    key === 'fromGrid' ? cellsOf(childOf(value, 'variable'), 'text') : gridsIn(value),
  );
}
