import type { Finding, Severity } from '../../lib/core/finding.ts';
import type { ReviewReport, SuppressedFinding } from './review-request.ts';
import { helpOf, pageOf } from './rule-help.ts';

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', notice: 'note' };

/** Where the running Millrace comes from, for links to its pages. */
export interface SarifSource {
  /** Address of its repository on a GitHub server. */
  readonly repository: string;
  /** Commit, tag or branch. */
  readonly ref: string;
}

export interface SarifOptions {
  /** Tells files about different projects of one repository apart; ends with `/`. */
  readonly category?: string | undefined;
  /** Without one there are no links: the standard takes whole addresses only. */
  readonly source?: SarifSource | undefined;
}

/**
 * A review as SARIF 2.1.0, for tools that gather findings; `version` is Millrace's own. What is fixed is left out: a
 * tool that does not read states would show it as an alert at 1:1.
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
        // Our columns count from 1 in UTF-16 units.
        columnKind: 'utf16CodeUnits',
        results,
        properties: { outcome, commit, reviewedFrom },
      },
    ],
  };
}

function ruleOf(id: string, source: SarifSource | undefined) {
  const { summary, why, fix } = helpOf(id);
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text: why },
    ...(source === undefined ? {} : { helpUri: helpUriOf(id, source) }),
    help: { text: `${why} ${fix}`, markdown: `**Why.** ${why}\n\n**Mend.** ${fix}` },
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
    // GitHub's code scanning compares this one only; its name says nothing about what it is made of.
    partialFingerprints: { primaryLocationLineHash: fingerprint, 'millraceFinding/v1': fingerprint },
    baselineState: state === 'known' ? 'unchanged' : 'new',
  };
}

function suppressionsOf({ reason }: SuppressedFinding) {
  return [{ kind: 'external', status: 'accepted', justification: reason }];
}

function helpUriOf(rule: string, { repository, ref }: SarifSource): string {
  return `${encodeURI(repository)}/blob/${uriOf(ref)}/${pageOf(rule)}`;
}

/** A path as a relative URI: blanks, `#` and letters beyond ASCII are encoded, slashes stay. */
function uriOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
