import type { Finding, FindingState, Severity } from '../../model/finding.ts';
import type { ReviewReport, SuppressedFinding } from './review-request.ts';
import { helpOf } from './rule-help.ts';

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', notice: 'note' };
const baselineStates: Record<FindingState, string> = { new: 'new', known: 'unchanged', fixed: 'absent' };

/**
 * A review as SARIF 2.1.0, for tools that gather findings; `version` is Millrace's own.
 * @param category tells files about different projects of one repository apart; ends with `/`
 */
export function sarifOf(
  report: ReviewReport,
  version: string,
  category = 'millrace/review/',
): Record<string, unknown> {
  const { findings, suppressed, commit, outcome } = report;
  const rules = [...new Set([...findings, ...suppressed].map(({ rule }) => rule))].toSorted();
  const results = [
    ...findings.map((finding) => resultOf(finding, rules)),
    ...suppressed.map((finding) => ({ ...resultOf(finding, rules), suppressions: suppressionsOf(finding) })),
  ];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Millrace', semanticVersion: version, rules: rules.map(ruleOf) } },
        automationDetails: { id: category },
        // Our columns count from 1 in UTF-16 units.
        columnKind: 'utf16CodeUnits',
        results,
        properties: { outcome, commit, reviewedFrom: report.reviewedFrom },
      },
    ],
  };
}

function ruleOf(id: string) {
  const { summary, why, mend } = helpOf(id);
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text: why },
    help: { text: `${why} ${mend}`, markdown: `**Why.** ${why}\n\n**Mend.** ${mend}` },
  };
}

function resultOf(finding: Finding, rules: readonly string[]) {
  const { rule, severity, message, file, component, fingerprint, state } = finding;
  const { line, column, endLine, endColumn } = finding;
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: levels[severity],
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file), uriBaseId: '%SRCROOT%' },
          region: { startLine: line, startColumn: column, endLine, endColumn },
        },
        ...(component === undefined ? {} : { logicalLocations: [{ name: component, kind: 'member' }] }),
      },
    ],
    partialFingerprints: { 'millraceFinding/v1': fingerprint },
    baselineState: baselineStates[state],
  };
}

function suppressionsOf({ reason }: SuppressedFinding) {
  return [{ kind: 'external', justification: reason }];
}

/** A path as a relative URI: blanks, `#` and letters beyond ASCII are encoded, slashes stay. */
function uriOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
