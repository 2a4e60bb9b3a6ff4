import { closestWord } from '../../core/text/closest-word.ts';
import { didYouMean } from '../../core/text/look-alike.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import { isEmpty, type YamlNode } from '../../yaml/yaml-node.ts';
import { knownParameters } from '../model/component-parameters.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';
import type { CheckSteps } from './breach.ts';

/**
 * Finds parameters whose names are almost the name of a known parameter that is not set and so has its default. Any
 * other unknown parameter may exist on a platform.
 */
export function* unknownParameters({ path, source, components }: PipelineDocument): CheckSteps {
  for (const component of components.values()) {
    yield undefined;
    const known = Object.hasOwn(knownParameters, component.type)
      ? knownParameters[component.type]
      : undefined;
    const parameters = component.node('parameters');
    if (known === undefined || parameters?.kind !== 'map') continue;
    const free = known.filter((name) => isUnset(parameters.entries.get(name)?.value));
    for (const [name, { key, value }] of parameters.entries) {
      if (known.includes(name) || name === 'componentName' || isUnset(value)) continue;
      const meant = closestWord(name, free);
      if (meant === undefined) continue;
      const subject = `The component "${visibleText(component.name)}" has no parameter "${visibleText(name)}"`;
      yield {
        check: 'unknown-parameter',
        file: path,
        component: component.name,
        subject: name,
        message: `${subject}; ${didYouMean(name, meant)}`,
        range: source.toRange(key),
      };
    }
  }
}

function isUnset(value: YamlNode | undefined): boolean {
  return isEmpty(value) || (value?.kind === 'scalar' && value.text === '');
}
