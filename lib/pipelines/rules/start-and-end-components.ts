import { reachable } from '../model/graph.ts';
import type { Component } from '../model/component.ts';
import type { Rule, Subject } from './rule.ts';
import { startsOf } from '../model/start-components.ts';

const endTypes: ReadonlySet<string> = new Set(['end-success', 'end-failure']);

/**
 * The rule that an orchestration must have a start component, and that every branch from it must end in end-success
 * or end-failure. An iteration target may have no successor, but its branches must end; an iterator itself must
 * continue like any other component.
 */
export const startAndEndComponents: Rule = {
  id: 'start-and-end-components',
  appliesTo: ['orchestration'],
  prepare: () => (subject) => {
    const starts = startsOf(subject.document);
    if (starts.length === 0) return [{ message: 'The pipeline has no start component' }];
    return unfinished(subject, starts).map((component) => ({
      component,
      message: `The branch at the component "${component.name}" does not end in an end component`,
    }));
  },
};

function unfinished({ document, graph }: Subject, starts: readonly string[]): readonly Component[] {
  const onwards = (name: string) => graph.from(name).filter(({ by }) => by !== 'iteration');
  const reached = reachable(starts, (name) => graph.from(name).map((edge) => edge.to));
  const onBranch = new Set(starts);
  for (const name of reached) for (const edge of onwards(name)) onBranch.add(edge.to);
  const isEnd = (name: string) => endTypes.has(document.components.get(name)?.type ?? '');
  const stops = new Set([...onBranch].filter((name) => onwards(name).length === 0));
  // A cycle without an exit never stops, so it has no end component.
  const finishing = reachable(stops, (name) => graph.to(name).map((edge) => edge.from));
  return [...document.components.values()].filter(
    ({ name }) => onBranch.has(name) && (finishing.has(name) ? stops.has(name) && !isEnd(name) : true),
  );
}
