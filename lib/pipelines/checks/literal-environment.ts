import { textOf, type YamlNode } from '../../yaml/yaml-node.ts';
import { childOf } from '../../yaml/yaml-node.ts';
import type { PipelineDocument } from '../read-pipeline.ts';
import type { CheckBreach } from './breach.ts';

/** `schema`, `targetSchema`, `warehouse`: the last word of the parameter's name determines its meaning. */
const environmentParameter = /(?:^|[a-z_-])(?:[Ww]arehouse|[Dd]atabase|[Ss]chema)$/;

/**
 * Literal warehouses, databases and schemas. A word in brackets belongs to the platform, such as `[Environment
 * Default]`.
 */
export function literalEnvironments(document: PipelineDocument): readonly CheckBreach[] {
  return [...document.components.values()].flatMap((component) =>
    entriesOf(component.node('parameters')).flatMap(([name, node]) => {
      const value = environmentParameter.test(name) ? (textOf(node) ?? '') : '';
      if (value.trim() === '' || value.includes('${') || /^\[.*\]$/s.test(value)) return [];
      return {
        check: 'literal-environment',
        file: document.path,
        component: component.name,
        subject: name,
        message: `The parameter "${name}" of "${component.name}" has the fixed value "${value}" in every environment; use [Environment Default] or a variable.`,
        range: document.source.toRange(node),
      };
    }),
  );
}

function entriesOf(node: YamlNode | undefined): readonly (readonly [string, YamlNode])[] {
  if (node?.kind !== 'map') return [];
  return [...node.entries.keys()].flatMap((name) => {
    const value = childOf(node, name);
    return value === undefined ? [] : [[name, value] as const];
  });
}
