import { numberOf } from '../../core/text/number-of.ts';
import { countSetting } from './count-setting.ts';
import type { Rule } from './rule.ts';

/** The rule that a pipeline has at least `minComponents` components; skipped ones count. */
export const minimumComponents: Rule = {
  id: 'minimum-components',
  appliesTo: ['orchestration', 'transformation'],
  worse: 'fewer',
  prepare(config) {
    const minimum = countSetting(config, 'minComponents');
    if (typeof minimum !== 'number') return minimum;
    return ({ document: { components } }) =>
      components.size >= minimum
        ? []
        : [
            {
              count: components.size,
              message: `The pipeline has ${numberOf(components.size, 'component')}; at least ${minimum} are required`,
            },
          ];
  },
};
