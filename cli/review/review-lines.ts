import type { Finding } from '../../lib/core/outcomes/finding.ts';
import type { ReviewReport } from '../../flows/review/scope/review-request.ts';
import { helpedRules } from '../../flows/review/evaluate/rule-help.ts';
import { reportOfReview, verdictLine } from '../../flows/review/report.ts';
import { type SourceLine, terminalLines } from '../../lib/report/terminal.ts';
import type { Io } from '../terminal/io.ts';
import { withProgramName } from '../terminal/program-name.ts';
import type { ReviewOptions } from './review-options.ts';

interface ReviewStart {
  readonly io: Pick<Io, 'env' | 'script'>;
  /** The options of the review. */
  readonly options: Pick<ReviewOptions, 'local' | 'workingTree' | 'staged'>;
  readonly sourceOf?: SourceLine;
}

/** The report of a review for the terminal, with the command that explains the rules of new findings. */
export function reviewLines(review: ReviewReport, { io, options, sourceOf }: ReviewStart): string[] {
  const report = reportOfReview(review, { updateCommand: updateCommand(options) });
  const newFindings = report.findings.filter(({ state }) => state === 'new');
  const notes = [...report.notes, ...explainHint(newFindings)].map((note) => withProgramName(note, io));
  return terminalLines({ ...report, notes, headline: verdictLine(review) }, sourceOf);
}

/** The command with which the user records the findings of this review in the baseline. */
export function updateCommand({ local, workingTree, staged }: ReviewStart['options']): string {
  const options = [local && '--local', workingTree && '--working-tree', staged && '--staged'];
  return [
    'millrace review',
    ...options.filter((option) => typeof option === 'string'),
    '--update-baseline',
  ].join(' ');
}

/** One line with the command that explains the rules of these findings. Rules that only the platform knows have no help. */
function explainHint(findings: readonly Finding[]): readonly string[] {
  const broken = new Set(findings.map(({ rule }) => rule));
  const [first, ...others] = helpedRules.filter((rule) => broken.has(rule));
  if (first === undefined) return [];
  const command = (rule: string) => `\`millrace review --explain ${rule}\``;
  if (others.length === 0) return [`${command(first)} explains the rule.`];
  return [`${command('<rule>')} explains each of these rules: ${[first, ...others].join(', ')}.`];
}
