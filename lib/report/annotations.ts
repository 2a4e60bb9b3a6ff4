import { compareFindings, type Finding, severities } from '../core/outcomes/finding.ts';
import { numberOf } from '../core/text/number-of.ts';
import { oneLine } from '../core/text/sanitize-text.ts';
import { shorten } from '../core/text/shorten.ts';

/** The maximum number of annotations of each level in a step. GitHub drops further ones silently. */
export const maximumPerLevel = 10;
const maximumMessage = 4000;

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A log line that GitHub shows only with debug logging. */
export const debugCommand = (text: string): string => `::debug::${escapeData(text)}`;

/** An invisible character that interrupts GitHub's patterns. */
const gap = '\u200B';

/**
 * A line for the log, made safe for GitHub's runner, which reads `::` at the start of a line (after blanks) and
 * `##[` anywhere as commands.
 */
export function logLine(text: string): string {
  const [indentation = ''] = /^ */u.exec(text) ?? [];
  return indentation + oneLine(text).replaceAll('##[', `##${gap}[`).replace(/^::/u, `${gap}::`);
}

export interface CommandPlace {
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly endLine?: number | undefined;
  readonly column?: number | undefined;
  readonly endColumn?: number | undefined;
  readonly title?: string | undefined;
}

/**
 * One workflow command `::level file=…,line=…::message`. Its texts are escaped, so they cannot end it or start
 * another.
 */
export function annotationCommand(
  level: Finding['severity'],
  message: string,
  { file, line, endLine, column, endColumn, title }: CommandPlace = {},
): string {
  // The runner drops the columns of a range over several lines; its end is inclusive.
  const columns = line !== undefined && line === (endLine ?? line) && column !== undefined;
  const properties = {
    file,
    line,
    endLine,
    col: columns ? column : undefined,
    endColumn: columns && endColumn !== undefined ? Math.max(column, endColumn - 1) : undefined,
    title,
  };
  const shown = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(oneLine(String(value)))}`);
  const text = message.split('\n').map(oneLine).join('\n');
  return `::${level}${shown.length === 0 ? '' : ` ${shown.join(',')}`}::${escapeData(shorten(text, maximumMessage))}`;
}

/** Options of annotations: where the complete list of findings is, if a level has too many. */
export interface AnnotationOptions {
  /** `the job summary` */
  readonly rest: string;
}

/**
 * New findings as workflow commands, most severe first. Old findings are left out, because they would hide the new
 * ones. If a level has more than GitHub keeps, its last command has the number of the others and where they are.
 */
export function annotationCommands(findings: readonly Finding[], { rest }: AnnotationOptions): string[] {
  const open = findings.filter(({ state }) => state === 'new').toSorted(compareFindings);
  return severities.flatMap((severity) => {
    const all = open.filter((finding) => finding.severity === severity);
    const shown = all.length > maximumPerLevel ? all.slice(0, maximumPerLevel - 1) : all;
    const commands = shown.map((finding) =>
      annotationCommand(severity, finding.message, { ...finding, title: finding.rule }),
    );
    const left = all.length - shown.length;
    if (left > 0) {
      commands.push(
        annotationCommand(
          severity,
          `${numberOf(left, `more ${severity} finding`)}. See ${rest} for all findings.`,
          {
            title: `${String(left)} more`,
          },
        ),
      );
    }
    return commands;
  });
}
