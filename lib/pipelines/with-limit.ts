import { readYaml } from '../yaml/read-yaml.ts';
import type { PreparedRule } from './prepare-rules.ts';
import { qualityRules } from './rules/quality-rules.ts';
import { isRefusal } from './rules/rule.ts';

/** The name of the setting with the limit, for each rule that has one. */
export const limitSettings: Readonly<Partial<Record<string, string>>> = {
  'minimum-components': 'minComponents',
  'maximum-components': 'maxComponents',
  'maximum-outputs': 'maxOutputs',
};

/**
 * A prepared rule with another limit; undefined for a rule without a limit, and for a rule that could not be
 * prepared.
 */
export function withLimit(prepared: PreparedRule, limit: number): PreparedRule | undefined {
  const key = limitSettings[prepared.ruleName];
  const rule = qualityRules.get(prepared.ruleName);
  if (prepared.error !== undefined || key === undefined || rule === undefined) return undefined;
  const { root } = readYaml(`${key}: ${limit}\n`, { file: prepared.file });
  const check = rule.prepare(root?.kind === 'map' ? root : undefined, {});
  // A rule with a limit is prepared at once.
  return isRefusal(check) || check instanceof Promise ? undefined : { ...prepared, check };
}
