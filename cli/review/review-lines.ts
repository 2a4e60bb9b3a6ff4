import type { Finding } from '../../lib/core/outcomes/finding.ts';
import { describeKnown } from '../../lib/core/outcomes/describe-known.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { ReviewReport } from '../../flows/review/scope/review-request.ts';
import type { SourceLine } from '../../flows/review/conclude/source-lines.ts';
import { describeUncounted } from '../../flows/review/conclude/describe-uncounted.ts';
import { helpedRules } from '../../flows/review/evaluate/rule-help.ts';
import type { Io } from '../terminal/io.ts';
import { withProgramName } from '../terminal/program-name.ts';
import { findingLines } from './finding-lines.ts';
import type { ReviewOptions } from './review-options.ts';

interface ReviewStart {
  readonly io: Pick<Io, 'env' | 'script'>;
  /** The options of the review. */
  readonly given: Pick<ReviewOptions, 'local' | 'workingTree' | 'staged'>;
  readonly sourceOf?: SourceLine;
}

/** A review for the terminal: new findings by file, the number of known and of fixed ones, then the counts. */
export function reviewLines(report: ReviewReport, { io, given, sourceOf }: ReviewStart): string[] {
  const { findings, excluded, suppressed, uncounted } = report;
  const inState = (state: string) => findings.filter((finding) => finding.state === state);
  const fixed = inState('fixed').length;
  const ofBase = report.base?.known;
  const old = [
    ...describeKnown({ inBaseline: inState('known').length - (ofBase ?? 0), ofBase }),
    ...(fixed === 0
      ? []
      : [
          `${numberOf(fixed, 'finding')} of the baseline ${fixed === 1 ? 'is' : 'are'} fixed. \`${updateCommand(given)}\` removes ${fixed === 1 ? 'it' : 'them'} from the baseline.`,
        ]),
  ];
  if (uncounted > 0) old.push(describeUncounted(uncounted, updateCommand(given)));
  const by = (kind: string) => suppressed.filter(({ suppressedBy }) => suppressedBy === kind).length;
  if (by('settings') > 0)
    old.push(
      `${numberOf(by('settings'), 'finding')} suppressed by \`review.suppress\` in millrace.yaml, not counted.`,
    );
  if (by('comment') > 0)
    old.push(`${numberOf(by('comment'), 'finding')} suppressed by comments in the pipelines, not counted.`);
  const found = [
    ...findingLines(inState('new'), sourceOf),
    ...excluded.map((file) => `Not evaluated, unsupported file type: ${file}`),
  ];
  const hints = [...old, ...explainHint(inState('new'))].map((line) => withProgramName(line, io));
  return [...found, ...hints, countsLine(report)];
}

/** The command that records the findings of the same review. */
function updateCommand({ local, workingTree, staged }: ReviewStart['given']): string {
  const options = [local && '--local', workingTree && '--working-tree', staged && '--staged'];
  return ['millrace review', ...options.filter((one) => typeof one === 'string'), '--update-baseline'].join(
    ' ',
  );
}

/** One line with the command that explains the rules of these findings. Rules that only the platform knows have no help. */
function explainHint(findings: readonly Finding[]): readonly string[] {
  const found = new Set(findings.map(({ rule }) => rule));
  const [first, ...others] = helpedRules.filter((rule) => found.has(rule));
  if (first === undefined) return [];
  const command = (rule: string) => `\`millrace review --explain ${rule}\``;
  if (others.length === 0) return [`${command(first)} explains the rule.`];
  return [`${command('<rule>')} explains each of these rules: ${[first, ...others].join(', ')}.`];
}

/** The verdict with its counts, or why nothing was reviewed. */
export function countsLine({ outcome, reviewed, counts, scopeReason }: ReviewReport): string {
  if (outcome === 'nothing-to-do') return `Nothing to review: ${scopeReason}.`;
  return `${numberOf(reviewed.length, 'file')} reviewed (${scopeReason}): ${numberOf(counts.error, 'error')}, ${numberOf(counts.warning, 'warning')}, ${numberOf(counts.notice, 'notice')}: ${outcome}.`;
}
