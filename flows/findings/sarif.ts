import type { Finding, Severity } from '../../lib/core/outcomes/finding.ts';
import type { SuppressedFinding } from './suppressed-finding.ts';

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', notice: 'note' };

/** Repository and revision of the running Millrace, for links to its documentation. */
export interface SarifSource {
  /** URL of the repository on a GitHub server. */
  readonly repository: string;
  /** Commit, tag or branch. */
  readonly ref: string;
}

/** The purpose of a rule and how to fix its findings, for SARIF viewers. */
export interface RuleHelp {
  readonly summary: string;
  readonly reason: string;
  readonly fix: string;
}

export interface SarifRun {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly SuppressedFinding[];
  /** The version of Millrace. */
  readonly version: string;
  /** Distinguishes the SARIF files of several tools and projects in one repository; ends with `/`. */
  readonly category: string;
  /** Without it there are no links: SARIF accepts absolute URLs only. */
  readonly source?: SarifSource | undefined;
  readonly helpOf: (rule: string) => RuleHelp;
  /** The page of a rule, relative to the repository of Millrace. */
  readonly pageOf: (rule: string) => string;
  /** Facts about the run. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * Renders findings as SARIF 2.1.0, for tools that collect findings. Fixed findings are left out, because a tool
 * that ignores states would show them as open, at 1:1.
 */
export function sarifDocument(run: SarifRun): Record<string, unknown> {
  const { findings, suppressed, version, category, source, properties } = run;
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
            rules: rules.map((rule) => ruleOf(rule, run)),
          },
        },
        automationDetails: { id: category },
        // Columns count from 1 in UTF-16 code units.
        columnKind: 'utf16CodeUnits',
        results,
        properties,
      },
    ],
  };
}

function ruleOf(id: string, { source, helpOf, pageOf }: SarifRun) {
  const { summary, reason, fix } = helpOf(id);
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text: reason },
    ...(source === undefined ? {} : { helpUri: helpUriOf(pageOf(id), source) }),
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

function helpUriOf(page: string, { repository, ref }: SarifSource): string {
  return `${encodeURI(repository)}/blob/${uriOf(ref)}/${page}`;
}

/** Renders a path as a relative URI: spaces, `#` and non-ASCII letters are encoded, slashes are kept. */
function uriOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
