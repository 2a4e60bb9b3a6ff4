import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { decodeText } from '../../../lib/core/files/decode-text.ts';
import { scriptParameters } from '../../../lib/pipelines/checks/missing-file.ts';
import { targetParameters } from '../../../lib/pipelines/checks/call-facts.ts';
import {
  decodePipeline,
  maxPipelineBytes,
  type PipelineDocument,
} from '../../../lib/pipelines/model/read-pipeline.ts';
import type { ReviewScope } from './review-scope.ts';

const parameters = [...Object.values(targetParameters), ...scriptParameters];

/** An escape that means a letter, or that continues a line: a name with one is not in the text as it is. */
const hiddenPart = /\\[xuU\r\n]/;

/** A call or a script whose target is not plain text on its line: doubled quotes, aliases, block scalars, after a comment. */
const unclearTarget = new RegExp(
  `(?:${parameters.join('|')})["']?\\s*:\\s*(?:[#|>&*!]|"[^"\\n]*\\\\|'[^'\\n]*''|$)`,
  'm',
);

/** Files per git process; two processes run at a time. Only files that may contain a call stay in memory. */
const readBatchSize = 500;

/**
 * The pipelines outside the scope (except those in `without`) that may call a pipeline or read a script whose path
 * contains one of `names`. Includes pipelines that are not text. Excludes most files by a text search, because
 * parsing thousands of files is too slow.
 */
export async function* readCallers(
  snapshot: Snapshot,
  scope: ReviewScope,
  {
    names,
    without = [],
  }: { readonly names: readonly string[]; readonly without?: readonly string[] | undefined },
): AsyncGenerator<PipelineDocument, void, undefined> {
  // A line of the file may end at each space of a name, so its words are searched.
  const wordsOfNames = names.map((name) => name.split(/\s+/));
  const excluded = new Set([...scope.paths, ...without]);
  const others = scope.all.filter((path) => !excluded.has(path));
  const mayCall = (content: Buffer) => {
    const { text } = decodeText(content);
    if (text === undefined || hiddenPart.test(text)) return true;
    if (!parameters.some((parameter) => content.includes(parameter))) return false;
    return (
      wordsOfNames.some((words) => words.every((word) => text.includes(word))) || unclearTarget.test(text)
    );
  };
  const readBatch = (start: number) =>
    snapshot.readFiles(others.slice(start, start + readBatchSize), maxPipelineBytes, mayCall);
  for (let start = 0; start < others.length; start += 2 * readBatchSize) {
    for (const contents of await Promise.all([readBatch(start), readBatch(start + readBatchSize)]))
      for (const [path, content] of contents) yield decodePipeline(path, content);
  }
}
