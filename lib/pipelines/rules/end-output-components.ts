import { reachable } from '../model/graph.ts';
import { outputTest } from './output-types.ts';
import type { Rule } from './rule.ts';

/**
 * The rule that every branch of a transformation must end in an output component. A branch ends at a component
 * without readers.
 */
export const endOutputComponents: Rule = {
  id: 'end-output-components',
  appliesTo: ['transformation'],
  prepare(_config, options) {
    const isOutput = outputTest(options);
    return ({ document, graph }) => {
      const ends = new Set(graph.names.filter((name) => graph.from(name).length === 0));
      // A cycle that feeds only itself never reaches an output.
      const ending = reachable(ends, (name) => graph.to(name).map((edge) => edge.from));
      return [...document.components.values()]
        .filter((component) =>
          ends.has(component.name) ? !isOutput(component) : !ending.has(component.name),
        )
        .map((component) => ({
          component,
          message: `The branch at the component "${component.name}" does not end in an output component`,
        }));
    };
  },
};
