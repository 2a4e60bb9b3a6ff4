import { componentNamingConvention } from './component-naming-convention.ts';
import { copiedVariables } from './copied-variables.ts';
import { endOutputComponents } from './end-output-components.ts';
import { maximumComponents } from './maximum-components.ts';
import { maximumOutputs } from './maximum-outputs.ts';
import { minimumComponents } from './minimum-components.ts';
import type { Rule } from './rule.ts';
import { startAndEndComponents } from './start-and-end-components.ts';
import { unusedComponents } from './unused-components.ts';

/** The eight rules of the platform (unknowns §4), by id. The platform refuses any other id. */
export const qualityRules: ReadonlyMap<string, Rule> = new Map(
  [
    minimumComponents,
    maximumComponents,
    componentNamingConvention,
    unusedComponents,
    copiedVariables,
    startAndEndComponents,
    maximumOutputs,
    endOutputComponents,
  ].map((rule) => [rule.id, rule]),
);

/** Whether `count` breaks this rule more than `than` does; false for a rule that does not count. */
export function isWorseCount(rule: string, count: number, than: number): boolean {
  const worse = qualityRules.get(rule)?.worse;
  return worse === 'more' ? count > than : worse === 'fewer' && count < than;
}
