import type { Diagnostic, Range as ProtocolRange } from 'vscode-languageserver-protocol';
import type { Finding, Range, Severity } from '../../lib/core/outcomes/finding.ts';

/** A range as the protocol has it: from 0. `text`: the text that it refers to, if it is known. */
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

/** A finding for the editor. A known one is only a hint, because it fails no review. */
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
