import type { Diagnostic, Range as ProtocolRange } from 'vscode-languageserver-protocol';
import type { Finding, Range, Severity } from '../../lib/core/outcomes/finding.ts';

/**
 * Converts a range to the protocol's form, whose lines and characters are counted from 0. `text`: the text of the
 * file, if it is known.
 */
export function toProtocolRange({ line, column, endLine, endColumn }: Range, text = ''): ProtocolRange {
  // A byte order mark has no column here, but is a character of the document there.
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const at = (oneLine: number, oneColumn: number) => ({
    line: oneLine - 1,
    character: oneColumn - 1 + (oneLine === 1 ? mark : 0),
  });
  return { start: at(line, column), end: at(endLine, endColumn) };
}

/** The numbers of the protocol: error, warning, information, hint. */
const severities: Readonly<Record<Severity, 1 | 2 | 3>> = { error: 1, warning: 2, notice: 3 };

/**
 * Converts a finding to a diagnostic of the protocol. A finding that the baseline has is only a hint, because it
 * does not fail a review.
 */
export function toDiagnostic(finding: Finding, text: string | undefined): Diagnostic {
  const { rule, severity, state, message, errorType } = finding;
  return {
    range: toProtocolRange(finding, text),
    severity: state === 'known' ? 4 : severities[severity],
    code: rule,
    source: 'millrace',
    // A rule that could not be evaluated cannot be suppressed, and `compile.accept` accepts what a compilation finds.
    ...(errorType === undefined && !/^(?:millrace\/suppression-|compile\/)/.test(rule)
      ? { data: { suppressible: true } }
      : {}),
    message: state === 'known' ? `${message} (known: recorded in the baseline)` : message,
  };
}
