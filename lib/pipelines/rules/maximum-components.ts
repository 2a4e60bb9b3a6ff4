import { numberOf } from '../../core/text/number-of.ts';
import { countSetting } from './count-setting.ts';
import type { Rule } from './rule.ts';

/** The rule that a pipeline has at most `maxComponents` components; skipped ones count. */
export const maximumComponents: Rule = {
  id: 'maximum-components',
  appliesTo: ['orchestration', 'transformation'],
  worse: 'more',
  prepare(config) {
    const maximum = countSetting(config, 'maxComponents');
    if (typeof maximum !== 'number') return maximum;
    return ({ document: { components } }) =>
      components.size <= maximum
        ? []
        : [
            {
              count: components.size,
              message: `The pipeline has ${numberOf(components.size, 'component')}; at most ${maximum} are allowed`,
            },
          ];
  },
};
