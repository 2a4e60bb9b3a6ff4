import { isWorseCount } from './rules/quality-rules.ts';
import { type Range, wholeFile } from '../core/outcomes/finding.ts';
import { textOf } from '../yaml/yaml-node.ts';
import { readRulesFile, type RuleEntry } from './rules-file.ts';

/** A rule that is less strict than before. */
export interface LoosenedRule {
  readonly rule: string;
  /** The change, as a sentence. */
  readonly message: string;
  /** Whether the rule is certainly less strict; for a changed pattern this is unknown. */
  readonly sure: boolean;
  readonly range: Range;
}

export interface Loosened {
  readonly loosened: readonly LoosenedRule[];
  /** Whether the change removed the last rule. */
  readonly emptied: boolean;
}

/**
 * Finds the rules that a change of the rules file makes less strict. If the file was unreadable before the change,
 * there was no policy; if it is unreadable afterwards, that is a separate error. A changed pattern counts, because
 * patterns cannot be compared.
 */
export function loosenedRules(path: string, before: string, after: string): Loosened {
  const [old, now] = [readRulesFile(path, before), readRulesFile(path, after)];
  if (old.problems.length > 0 || now.problems.length > 0) return { loosened: [], emptied: false };
  const entries = new Map(now.entries.map((entry) => [entry.id, entry]));
  const loosened = old.entries.flatMap((entry) => {
    const next = entries.get(entry.id);
    const how = next === undefined ? { how: 'is no longer enabled', sure: true } : difference(entry, next);
    const range = next?.range ?? wholeFile;
    if (how === undefined) return [];
    return [{ rule: entry.id, message: `The rule ${entry.id} ${how.how}.`, sure: how.sure, range }];
  });
  return { loosened, emptied: old.entries.length > 0 && now.entries.length === 0 };
}

/** How the new entry is less strict, as the end of a sentence, and whether this is certain. */
function difference(
  old: RuleEntry,
  now: RuleEntry,
): { readonly how: string; readonly sure: boolean } | undefined {
  if (old.enforcementLevel !== now.enforcementLevel && now.enforcementLevel === 'warn')
    return { how: `is lowered from ${old.enforcementLevel ?? 'no level'} to warn`, sure: true };
  const [before, after] = [settingsOf(old), settingsOf(now)];
  for (const [key, value] of before) {
    const next = after.get(key);
    // A missing setting is an error of the rule itself.
    if (next === undefined || next === value) continue;
    const worse = isWorseCount(old.id, Number(next), Number(value));
    const pattern = Number.isNaN(Number(next)) || Number.isNaN(Number(value));
    if (worse || pattern) return { how: `has another ${key}: ${next} instead of ${value}`, sure: worse };
  }
  return undefined;
}

function settingsOf({ config }: RuleEntry): ReadonlyMap<string, string> {
  const entries = config?.kind === 'map' ? [...config.entries] : [];
  return new Map(entries.map(([key, { value }]) => [key, textOf(value) ?? '']));
}
