import type { Finding, Severity } from '../../../lib/core/outcomes/finding.ts';
import type { ReviewReport, SuppressedFinding } from '../scope/review-request.ts';
import { helpOf, pageOf } from '../evaluate/rule-help.ts';

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', notice: 'note' };

/** Repository and revision of the running Millrace, for links to its documentation. */
export interface SarifSource {
  /** URL of the repository on a GitHub server. */
  readonly repository: string;
  /** Commit, tag or branch. */
  readonly ref: string;
}

export interface SarifOptions {
  /** Distinguishes the SARIF files of several projects in one repository; ends with `/`. */
  readonly category?: string | undefined;
  /** Without it there are no links: SARIF accepts absolute URLs only. */
  readonly source?: SarifSource | undefined;
}

/**
 * Renders a review as SARIF 2.1.0, for tools that collect findings. `version` is the version of Millrace. Fixed
 * findings are left out: a tool that ignores states would show them as alerts at 1:1.
 */
export function sarifOf(
  { findings, suppressed, commit, outcome, reviewedFrom }: ReviewReport,
  version: string,
  { category = 'millrace/review/', source }: SarifOptions = {},
): Record<string, unknown> {
  const open = findings.filter(({ state }) => state !== 'fixed');
  const rules = [...new Set([...open, ...suppressed].map(({ rule }) => rule))].toSorted();
  const results = [
    ...open.map((finding) => resultOf(finding, rules)),
    ...suppressed.map((finding) => ({ ...resultOf(finding, rules), suppressions: suppressionsOf(finding) })),
  ];
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Millrace',
            semanticVersion: version,
            ...(source === undefined ? {} : { informationUri: encodeURI(source.repository) }),
            rules: rules.map((rule) => ruleOf(rule, source)),
          },
        },
        automationDetails: { id: category },
        // Columns count from 1 in UTF-16 code units.
        columnKind: 'utf16CodeUnits',
        results,
        properties: { outcome, commit, reviewedFrom },
      },
    ],
  };
}

function ruleOf(id: string, source: SarifSource | undefined) {
  const { summary, reason, fix } = helpOf(id);
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text: reason },
    ...(source === undefined ? {} : { helpUri: helpUriOf(id, source) }),
    help: { text: `${reason} ${fix}`, markdown: `**Why.** ${reason}\n\n**How to fix.** ${fix}` },
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
    // GitHub code scanning compares only `primaryLocationLineHash`. The value need not be a hash of the line.
    partialFingerprints: { primaryLocationLineHash: fingerprint, 'millraceFinding/v1': fingerprint },
    baselineState: state === 'known' ? 'unchanged' : 'new',
  };
}

function suppressionsOf({ reason, suppressedBy }: SuppressedFinding) {
  return [
    { kind: suppressedBy === 'comment' ? 'inSource' : 'external', status: 'accepted', justification: reason },
  ];
}

function helpUriOf(rule: string, { repository, ref }: SarifSource): string {
  return `${encodeURI(repository)}/blob/${uriOf(ref)}/${pageOf(rule)}`;
}

/** Renders a path as a relative URI: spaces, `#` and non-ASCII letters are encoded, slashes are kept. */
function uriOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
