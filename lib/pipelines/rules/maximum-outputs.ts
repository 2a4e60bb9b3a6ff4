import { numberOf } from '../../core/text/number-of.ts';
import { countSetting } from './count-setting.ts';
import { outputTest } from './output-types.ts';
import type { Rule } from './rule.ts';

/** The rule that a transformation has at most `maxOutputs` output components. */
export const maximumOutputs: Rule = {
  id: 'maximum-outputs',
  appliesTo: ['transformation'],
  worse: 'more',
  prepare(config, options) {
    const maximum = countSetting(config, 'maxOutputs');
    if (typeof maximum !== 'number') return maximum;
    const isOutput = outputTest(options);
    return ({ document }) => {
      const outputs = [...document.components.values()].filter(isOutput);
      if (outputs.length <= maximum) return [];
      const names = outputs.map(({ name }) => `"${name}"`).join(', ');
      const message = `The pipeline has ${numberOf(outputs.length, 'output component')} (${names}); at most ${maximum} are allowed`;
      return [{ message, count: outputs.length }];
    };
  },
};
