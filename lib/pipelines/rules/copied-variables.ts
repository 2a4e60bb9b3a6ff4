import { iterationOf } from '../model/iterator.ts';
import type { Rule } from './rule.ts';

/**
 * The rule that an iterator must not use a variable of scope COPIED as its iteration variable unless it is
 * concurrent.
 */
export const copiedVariables: Rule = {
  id: 'copied-variables',
  appliesTo: ['orchestration', 'transformation'],
  prepare:
    () =>
    ({ document }) =>
      [...document.components.values()].flatMap((component) => {
        const iteration = iterationOf(component);
        if (iteration === undefined || iteration.concurrent) return [];
        const copied = iteration.variables.filter((name) => document.variables.get(name)?.scope === 'COPIED');
        if (copied.length === 0) return [];
        const names = copied.map((name) => `"${name}"`).join(', ');
        const message = `The iterator "${component.name}" is not concurrent but iterates over copied variables: ${names}`;
        return [{ component, message }];
      }),
};
