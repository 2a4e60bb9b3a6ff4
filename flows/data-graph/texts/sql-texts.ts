import { itemsOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';

/** By type of component: the parameter with SQL for the warehouse. `isList`: the SQL is first in each of its rows. */
const sqlParameters: ReadonlyMap<string, { readonly name: string; readonly isList?: boolean }> = new Map([
  ['sql', { name: 'query' }],
  ['query-to-scalar', { name: 'query' }],
  ['query-to-grid', { name: 'query' }],
  ['table-iterator', { name: 'query' }],
  ['sql-executor', { name: 'sqlScript' }],
  ['sql-script', { name: 'sqlScript' }],
  ['calculator', { name: 'calculations', isList: true }],
  ['join', { name: 'joinExpressions', isList: true }],
]);

/** The parts of a component's parameters that are SQL for the warehouse, without SQL for other programs. */
export function sqlTexts(component: Component): ReadonlySet<YamlNode> {
  const { name, isList = false } = sqlParameters.get(component.type) ?? {};
  const node = name === undefined ? undefined : component.parameter(name);
  if (node === undefined) return new Set();
  return new Set(isList ? itemsOf(node).flatMap((row) => itemsOf(row).slice(0, 1)) : [node]);
}
