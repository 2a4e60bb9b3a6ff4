import { childOf, type YamlMap } from '../../yaml/yaml-node.ts';
import { namePattern } from './name-pattern.ts';
import { isRefusal, type Refusal, type Rule } from './rule.ts';

const key = 'regexMatchPattern';

/** The rule that the name of every component (its key in the file) must match the whole pattern. */
export const componentNamingConvention: Rule = {
  id: 'component-naming-convention',
  appliesTo: ['orchestration', 'transformation'],
  async prepare(config) {
    const pattern = patternSetting(config);
    if (isRefusal(pattern)) return pattern;
    const matches = await namePattern(pattern);
    if (isRefusal(matches)) return { ...matches, ...nodeOf(config) };
    return ({ document: { components } }) =>
      [...components.values()]
        .filter(({ name }) => !matches(name))
        .map((component) => ({
          component,
          message: `The name of the component "${component.name}" does not match the pattern ${pattern}`,
        }));
  },
};

/** A null pattern is empty; a missing key or a value that is not text is an invalid configuration (unknowns §4). */
function patternSetting(config: YamlMap | undefined): string | Refusal {
  const node = childOf(config, key);
  if (node?.kind !== 'scalar' || (node.value !== null && typeof node.value !== 'string')) {
    return {
      type: 'designer/invalid-rule-configuration',
      reason: `The rule needs "${key}", a text`,
      ...nodeOf(config),
    };
  }
  if (node.value === null || node.value === '') {
    return { type: 'designer/empty-regex-pattern', reason: `"${key}" is empty`, node };
  }
  return node.value;
}

function nodeOf(config: YamlMap | undefined) {
  const node = childOf(config, key);
  return node === undefined ? {} : { node };
}
