import {
  type AcceptEntry,
  type CompileConfig,
  type CompileRule,
  isUnreadable,
} from '../../../lib/config/project/compile-schema.ts';
import type { Severity } from '../../../lib/core/outcomes/finding.ts';
import { compileGlob } from '../../../lib/core/files/glob.ts';
import { fingerprints } from '../../../lib/pipelines/fingerprint.ts';
import type { BaselineEntry } from '../../findings/baseline.ts';
import {
  type AcceptedFindings,
  type CompileFinding,
  type CompileReport,
  type ConcludedFinding,
  isAboutChange,
} from './compile-report.ts';

/** The settings of a project about findings of compile. */
export interface CompileSettings extends Pick<CompileConfig, 'rules' | 'accept'> {
  /** The findings that were there when the baseline was recorded. */
  readonly baseline: readonly BaselineEntry[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The findings of `compile`, before the settings of the project are applied. */
export interface Compilation extends Omit<CompileReport, 'findings' | 'accepted' | 'nextBaseline'> {
  readonly findings: readonly CompileFinding[];
  /** Whether it was compared with a base. */
  readonly hasBase: boolean;
}

/**
 * Applies the settings of the project to findings: severities, accepted findings and the baseline. An entry of
 * `accept` applies until midnight UTC at the end of its last day. The first entry that matches a finding applies.
 */
export function concludeCompile(
  { findings: found, hasBase, ...facts }: Compilation,
  { rules, accept, baseline, now }: CompileSettings,
): CompileReport {
  const today = new Date(now).toISOString().slice(0, 10);
  const known = new Set(baseline.map(({ fingerprint }) => fingerprint));
  const ids = fingerprints(found.map((finding) => ({ ...finding, rule: ruleName(finding) })));
  const findings = found.flatMap((finding, index): readonly ConcludedFinding[] => {
    const { rule } = finding;
    const severity: Severity | 'off' = (isUnreadable(rule) ? undefined : rules[rule]) ?? finding.severity;
    const fingerprint = ids[index] ?? '';
    const isKnown = isRecordable(rule) && known.has(fingerprint);
    return severity === 'off'
      ? []
      : [{ ...finding, severity, fingerprint, state: isKnown ? 'known' : 'new' }];
  });
  const entries = accept.map((acceptance) => ({
    acceptance,
    isExpired: acceptance.until !== undefined && acceptance.until < today,
    matches: matcherOf(acceptance),
    findings: [] as ConcludedFinding[],
  }));
  const left: ConcludedFinding[] = [];
  for (const finding of findings) {
    const matching = entries.filter(({ matches }) => matches(finding));
    const entry = matching.find(({ isExpired }) => !isExpired);
    for (const each of entry === undefined ? matching : [entry]) each.findings.push(finding);
    if (entry === undefined) left.push(finding);
  }
  return {
    ...facts,
    findings: left,
    accepted: entries.map(({ acceptance, isExpired, findings: list }): AcceptedFindings => ({
      ...acceptance,
      isExpired,
      // Only a comparison with a base finds what is about a change.
      isUseless:
        list.length === 0 && (hasBase || acceptance.rule === undefined || !isAboutChange(acceptance.rule)),
      findings: list,
    })),
    nextBaseline: left
      .filter(({ rule }) => isRecordable(rule))
      .map((finding) => {
        const { file, component, subject, fingerprint } = finding;
        return { rule: ruleName(finding), file, ...(component && { component }), subject, fingerprint };
      }),
  };
}

/** A finding about a change is about this change only, and one about a file that cannot be read may hide others. */
function isRecordable(rule: CompileRule): boolean {
  return !isAboutChange(rule) && !isUnreadable(rule);
}

/** The name of a finding's rule in reports that also contain rules of the review. */
export function ruleName({ rule }: Pick<CompileFinding, 'rule'>): string {
  return `compile/${rule}`;
}

function matcherOf({
  rule,
  table,
  column,
  file,
  component,
}: AcceptEntry): (finding: CompileFinding) => boolean {
  const inFile = file === undefined ? undefined : compileGlob(file);
  return (finding) =>
    !isUnreadable(finding.rule) &&
    (rule === undefined || finding.rule === rule) &&
    (table === undefined || finding.tables.some((each) => namesOf(each).includes(table.toLowerCase()))) &&
    (column === undefined || finding.columnName?.toLowerCase() === column.toLowerCase()) &&
    (inFile === undefined || inFile(finding.file)) &&
    (component === undefined || finding.component === component);
}

function namesOf({ database, schema, table }: CompileFinding['tables'][number]): readonly string[] {
  return [table, `${schema}.${table}`, `${database}.${schema}.${table}`].map((name) => name.toLowerCase());
}
