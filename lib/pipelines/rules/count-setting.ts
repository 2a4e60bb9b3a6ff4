import { childOf, type YamlMap } from '../../yaml/yaml-node.ts';
import type { Refusal } from './rule.ts';

/**
 * Reads a setting that is a whole number of 0 or more. With any other value, the rule cannot be applied (unknowns
 * §4).
 */
export function countSetting(config: YamlMap | undefined, key: string): number | Refusal {
  const node = childOf(config, key);
  const value = node?.kind === 'scalar' ? node.value : undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  return {
    type: 'designer/invalid-rule-configuration',
    reason: `The rule needs "${key}", a whole number of 0 or more`,
    ...(node === undefined ? {} : { node }),
  };
}
