import { isEmpty, type YamlNode } from '../../yaml/yaml-node.ts';
import type { Component } from './component.ts';

/** Whether a component sets variables after it, for example from the result of a call. Its message sets none, and neither does an empty list. */
export function updatesVariables(component: Component): boolean {
  const node = component.node('postProcessing');
  if (node?.kind !== 'map') return !isEmpty(node);
  return [...node.entries].some(([key, { value }]) => key !== 'updateOutputMessage' && !isBlank(value));
}

function isBlank(node: YamlNode): boolean {
  if (node.kind === 'scalar') return isEmpty(node);
  return node.kind === 'list' ? node.items.length === 0 : node.entries.size === 0;
}
