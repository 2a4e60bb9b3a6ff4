import type { YamlNode } from '../../source/yaml-node.ts';
import type { Component } from '../component.ts';
import { iterationOf } from '../iterator.ts';
import type { PipelineDocument } from '../read-pipeline.ts';
import type { CheckBreach } from './breach.ts';

/** Scripts in languages that know `${…}` themselves. */
const ownDollar = /^(?:bash|python|shell)/;

/** `${name}`; one with a dot or a call in it is the platform's to explain. */
const use = /\$\{\s*([A-Za-z_]\w*)\s*\}/g;

/** Variables that are used in parameters or by an iterator, and that neither the pipeline nor the project declares. */
export function undeclaredVariables(
  document: PipelineDocument,
  isProjectVariable: (name: string) => boolean,
): readonly CheckBreach[] {
  const unknown = (name: string) => !document.variables.has(name) && !isProjectVariable(name);
  return [...document.components.values()].flatMap((component) => {
    const uses = new Map<string, YamlNode | undefined>();
    for (const name of iterationOf(component)?.variables ?? []) uses.set(name, undefined);
    if (!ownDollar.test(component.type)) collect(component.node('parameters'), uses);
    return [...uses]
      .filter(([name]) => unknown(name))
      .map(([name, node]) => breachOf(document, component, name, node));
  });
}

function breachOf(
  { path, source }: PipelineDocument,
  component: Component,
  name: string,
  node: YamlNode | undefined,
): CheckBreach {
  return {
    check: 'undeclared-variable',
    file: path,
    component: component.name,
    subject: name,
    message: `The component "${component.name}" uses the variable "${name}", which nothing declares.`,
    range: node === undefined ? component.range : source.toRange(node),
  };
}

/** The first scalar that uses each name. The depth is bounded by the reader. */
function collect(node: YamlNode | undefined, uses: Map<string, YamlNode | undefined>): void {
  if (node === undefined) return;
  if (node.kind === 'scalar') {
    if (!node.text.includes('${')) return;
    for (const [, name = ''] of node.text.matchAll(use)) if (!uses.has(name)) uses.set(name, node);
  } else if (node.kind === 'list') for (const item of node.items) collect(item, uses);
  else for (const { value } of node.entries.values()) collect(value, uses);
}
