import { textOf } from '../../yaml/yaml-node.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';
import type { CheckSteps } from './breach.ts';

/** `schema`, `targetSchema`, `warehouse`: the last word of the parameter's name determines its meaning. */
const environmentParameter = /(?:^|[a-z_-])(?:[Ww]arehouse|[Dd]atabase|[Ss]chema)$/;

/**
 * Finds literal names of warehouses, databases and schemas. A word in brackets, such as `[Environment Default]`,
 * belongs to the platform.
 */
export function* literalEnvironments(document: PipelineDocument): CheckSteps {
  for (const component of document.components.values()) {
    const parameters = component.node('parameters');
    if (parameters?.kind !== 'map') continue;
    for (const [name, { value: node }] of parameters.entries) {
      yield undefined;
      const value = environmentParameter.test(name) ? (textOf(node) ?? '') : '';
      if (value.trim() === '' || value.includes('${') || /^\[.*\]$/s.test(value)) continue;
      yield {
        check: 'literal-environment',
        file: document.path,
        component: component.name,
        subject: name,
        message: `The parameter "${name}" of "${component.name}" has the fixed value "${value}" in every environment; use [Environment Default] or a variable.`,
        range: document.source.toRange(node),
      };
    }
  }
}
