import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { Refusal } from '../../core/refusal.ts';
import type { ParameterReader } from '../../parameters/parameter-reader.ts';
import { resolveText } from '../../parameters/resolve-text.ts';
import { scalarText } from '../../parameters/scalar-text.ts';

/**
 * Evaluates the expressions in all parameters of a component that is only simulated, so that a variable that does not
 * exist is noticed. Throws ParameterError. Ignores expressions that the engine does not support.
 */
export function checkTexts(component: Component, reader: ParameterReader): void {
  // Languages that use `${…}` themselves: an unknown name belongs to the script.
  if (component.type.startsWith('python-') || component.type.startsWith('bash-')) return;
  checkNode(component.node('parameters'), reader);
}

function checkNode(node: YamlNode | undefined, reader: ParameterReader): void {
  if (node === undefined) return;
  if (node.kind === 'list') for (const item of node.items) checkNode(item, reader);
  else if (node.kind === 'map') for (const { value } of node.entries.values()) checkNode(value, reader);
  else if (node.text.includes('${')) checkText(node, reader);
}

function checkText(node: Extract<YamlNode, { kind: 'scalar' }>, { source, scope }: ParameterReader): void {
  try {
    resolveText(scalarText(node, source), scope);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
