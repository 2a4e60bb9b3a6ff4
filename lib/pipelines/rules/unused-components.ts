import { reachable } from '../model/graph.ts';
import type { Breach, Refusal, Rule, Subject } from './rule.ts';
import { startsOf } from '../model/start-components.ts';

/**
 * The rule that no component is unused. In an orchestration, every component must be reachable from a start
 * component over transitions and iteration targets; in a transformation, every component must have a source or a
 * reader.
 */
export const unusedComponents: Rule = {
  id: 'unused-components',
  appliesTo: ['orchestration', 'transformation'],
  prepare: () => (subject) =>
    subject.document.kind === 'orchestration' ? unreached(subject) : unjoined(subject),
};

function unreached({ document, graph }: Subject): readonly Breach[] | Refusal {
  const starts = startsOf(document);
  if (starts.length === 0) {
    return { type: 'designer/no-start-component', reason: 'The pipeline has no start component' };
  }
  const reached = reachable(starts, (name) => graph.from(name).map((edge) => edge.to));
  return [...document.components.values()]
    .filter((component) => !reached.has(component.name))
    .map((component) => ({
      component,
      message: `The component "${component.name}" is not reachable from the start component`,
    }));
}

function unjoined({ document, graph }: Subject): readonly Breach[] {
  return [...document.components.values()]
    .filter(({ name }) => graph.from(name).length === 0 && graph.to(name).length === 0)
    .map((component) => ({
      component,
      message: `The component "${component.name}" has neither a source nor a consumer`,
    }));
}
