import type { DataDiff } from '../../flows/diff/data-diff.ts';
import {
  changeLines,
  comparedWith,
  headline,
  othersText,
  shownChanges,
  unknownBlocks,
} from '../../flows/diff/diff-lines.ts';
import { markdownBlock, markdownCode, markdownText } from '../../lib/report/markdown-text.ts';

/** The data diff for a job summary or a comment: the total, then the changes of each test. */
export function diffMarkdown(diff: DataDiff): readonly string[] {
  const { shown, others } = shownChanges(diff);
  return [
    `**${markdownText(headline(diff))}** ${markdownText(comparedWith(diff))}`,
    ...shown.flatMap((change) => [
      '',
      `${markdownCode(change.name)} in ${markdownCode(`${change.file}:${change.line}`)}`,
      '',
      ...markdownBlock(changeLines(change)),
    ]),
    ...(others === 0 ? [] : ['', othersText(others)]),
    ...unknownBlocks(diff).flatMap(({ title, lines }) => [
      '',
      `${markdownText(title)}:`,
      '',
      ...markdownBlock(lines),
    ]),
  ];
}
