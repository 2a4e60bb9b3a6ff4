import type { Edit } from '../../lib/core/outcomes/finding.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { readPipeline } from '../../lib/pipelines/model/read-pipeline.ts';
import { readSuppressionComments, suppressionWord } from '../../lib/pipelines/model/suppression-comments.ts';
import { applyEdits } from '../../lib/yaml/apply-edits.ts';
import { keepsOtherValues } from '../../lib/yaml/keeps-other-values.ts';
import { nodeAt } from '../../lib/yaml/node-at.ts';
import { LineIndex } from '../../lib/yaml/text-position.ts';

/** A finding of an open pipeline. `line` counts from 1. */
export interface FindingAt {
  readonly file: string;
  readonly text: string;
  readonly rule: string;
  readonly line: number;
}

/**
 * The edit that adds a comment before the line of a finding. The comment suppresses the rule there once the user
 * has added a reason. Undefined for a file that is not a valid pipeline, and where no comment is possible.
 */
export function suppressFinding({ file, text, rule, line }: FindingAt): Edit | undefined {
  if (kindOf(file) === undefined) return undefined;
  const { source, problems } = readPipeline(file, text);
  if (problems.length > 0) return undefined;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const isValue = (index: number) => /^\s*[^\s#]/.test(lines[index] ?? '');
  // A finding about the whole file is at its first line, which may be a comment.
  let at = line === 1 ? lines.findIndex((_, index) => isValue(index)) + 1 : line;
  if (!isValue(at - 1)) return undefined;
  const start = new LineIndex(text).offset({ line: at, column: 1 });
  const value = nodeAt(source.root, start + (lines[at - 1]?.search(/\S/) ?? 0));
  // Inside a text of several lines, the comment would be a part of the text.
  if (value !== undefined && (value.node.kind === 'scalar' || value.isKey) && value.span.start < start)
    at = source.toRange(value.span).line;
  const [indent = ''] = /^\s*/.exec(lines[at - 1] ?? '') ?? [];
  const [lineEnd = '\n'] = /\r\n|\r|\n/.exec(text) ?? [];
  const comment = `${indent}# ${suppressionWord} ${rule.replace(/^millrace\//, '')}: ${lineEnd}`;
  const edit = { line: at, column: 1, endLine: at, endColumn: 1, text: comment };
  const after = readPipeline(file, applyEdits(text, [edit]).text);
  const isAdded = readSuppressionComments(after).some(
    ({ range, target }) => range.line === at && target?.line === at + 1,
  );
  return isAdded && keepsOtherValues(source, [edit]) ? edit : undefined;
}
