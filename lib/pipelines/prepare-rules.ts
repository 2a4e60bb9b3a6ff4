import type { TextFault } from '../core/files/decode-text.ts';
import { wholeFile } from '../core/outcomes/finding.ts';
import type { PipelineKind } from './model/pipeline-kind.ts';
import type { EnforcementLevel, ErrorDetail } from './rule-result.ts';
import { readRulesFile, type RuleEntry } from './rules-file.ts';
import { qualityRules } from './rules/quality-rules.ts';
import {
  type Check,
  type ErrorDetailType,
  isRefusal,
  type Refusal,
  type Rule,
  type RuleOptions,
} from './rules/rule.ts';

interface PreparedBase {
  readonly ruleName: string;
  readonly enforcementLevel: EnforcementLevel;
  readonly appliesTo: readonly PipelineKind[];
  /** The rules file. */
  readonly file: string;
  readonly entry?: RuleEntry;
}

/** A rule that is ready to check files, or the error that is reported for every file instead. */
export type PreparedRule = PreparedBase &
  (
    | { readonly check: Check; readonly error?: never }
    | { readonly error: ErrorDetail; readonly check?: never }
  );

/** The rule name of the only result if the rules file is missing or unreadable. */
export const rulesFileRule = 'rules-file';

const everyKind: readonly PipelineKind[] = ['orchestration', 'transformation'];

export interface RulesFileText {
  readonly path: string;
  /** Undefined if the file does not exist or cannot be read. */
  readonly text: string | undefined;
  /** Why it cannot be read, as the end of a sentence. */
  readonly unread?: string | undefined;
  /** Why its bytes are not text. */
  readonly fault?: TextFault | undefined;
  /** Where it does not exist, as the end of a sentence. */
  readonly place?: string | undefined;
}

/**
 * Parses the rules file and configures its rules once for all files. Problems are checked in this order (unknowns
 * §4): rules file, unknown id, duplicate, level, configuration, pattern; the document and its start come later.
 */
export async function prepareRules(
  rulesFile: RulesFileText,
  options: RuleOptions = {},
): Promise<readonly PreparedRule[]> {
  if (rulesFile.fault !== undefined) {
    const { line, column, reason } = rulesFile.fault;
    const range = { line, column, endLine: line, endColumn: column };
    const sentence = `The rules file cannot be read: ${reason}`;
    return [ofWholeFile('designer/rules-file-parse-error', sentence, rulesFile.path, range)];
  }
  if (rulesFile.text === undefined) {
    const { path, unread, place = '' } = rulesFile;
    const reason = unread === undefined ? `does not exist${place}` : `cannot be read: ${unread}`;
    return [ofWholeFile('designer/rules-file-retrieval-error', `The rules file ${reason}`, path)];
  }
  const { path, entries, problems } = readRulesFile(rulesFile.path, rulesFile.text);
  const [problem] = problems;
  if (problem !== undefined) {
    const { message, file, ...range } = problem;
    return [ofWholeFile('designer/rules-file-parse-error', message, file, range)];
  }
  const byId = Map.groupBy(entries, (entry) => entry.id);
  const prepared = [...byId.values()].flatMap((same) => {
    const last = same.at(-1);
    return last === undefined ? [] : [prepareRule(last, same, path, options)];
  });
  return Promise.all(prepared);
}

async function prepareRule(
  entry: RuleEntry,
  entries: readonly RuleEntry[],
  file: string,
  options: RuleOptions,
): Promise<PreparedRule> {
  const { id } = entry;
  const rule = qualityRules.get(id);
  const base = {
    ruleName: id,
    enforcementLevel: levelOf(entries),
    appliesTo: rule?.appliesTo ?? everyKind,
    file,
    entry,
  };
  const checked = await checkEntry(rule, entries, entry, options);
  if (!isRefusal(checked)) return { ...base, check: checked };
  const { type, reason, node } = checked;
  const place = type === 'designer/invalid-enforcement-level' ? entry.levelRange : undefined;
  return {
    ...base,
    error: { type, reason, file, range: node === undefined ? (place ?? entry.range) : entry.rangeOf(node) },
  };
}

async function checkEntry(
  rule: Rule | undefined,
  entries: readonly RuleEntry[],
  entry: RuleEntry,
  options: RuleOptions,
): Promise<Check | Refusal> {
  if (rule === undefined) {
    return {
      type: 'designer/validator-not-found',
      reason: `The platform has no quality rule with the id "${entry.id}"`,
    };
  }
  if (entries.length > 1) {
    return {
      type: 'designer/duplicate-enabled-rule',
      reason: `The rule "${entry.id}" is enabled more than once`,
    };
  }
  if (levelOf(entries) === 'unknown') {
    return {
      type: 'designer/invalid-enforcement-level',
      reason: 'The enforcement level must be "warn" or "error"',
    };
  }
  return rule.prepare(entry.config?.kind === 'map' ? entry.config : undefined, options);
}

/** If a rule has several entries, the strictest level counts. */
function levelOf(entries: readonly RuleEntry[]): EnforcementLevel {
  const levels = entries.map(({ enforcementLevel }) => enforcementLevel);
  if (levels.includes('error')) return 'error';
  return levels.every((level) => level === 'warn') ? 'warn' : 'unknown';
}

function ofWholeFile(type: ErrorDetailType, reason: string, file: string, range = wholeFile): PreparedRule {
  return {
    ruleName: rulesFileRule,
    enforcementLevel: 'unknown',
    appliesTo: everyKind,
    file,
    error: { type, reason, file, range },
  };
}
