import type { Snapshot } from '../../git/snapshot.ts';
import { withoutSuffix } from '../../pipelines/pipeline-kind.ts';
import type { PipelineDocument } from '../../pipelines/read-pipeline.ts';
import { readPipelines } from './read-pipelines.ts';
import type { ReviewScope } from './review-scope.ts';

/** A call whose target cannot be read off its line: escapes, aliases, block scalars. */
const unclearCall = /(?:orchestration|transformation)Job["']?\s*:\s*(?:[|>&*!]|"[^"\n]*\\|$)/m;

/**
 * The pipelines outside the scope that may call one of `targets` (relative to the project). Most files are told
 * apart by their text alone, since parsing a thousand of them takes longer than anybody waits for a commit.
 */
export async function* readCallers(
  snapshot: Snapshot,
  scope: ReviewScope,
  targets: ReadonlySet<string>,
  inProject: (path: string) => string,
): AsyncGenerator<PipelineDocument, void, undefined> {
  const names = Array.from(targets, (path) => withoutSuffix(path).slice(path.lastIndexOf('/') + 1));
  const others = scope.all.filter((path) => !targets.has(inProject(path)));
  yield* readPipelines(
    snapshot,
    others,
    (text) =>
      /(?:orchestration|transformation)Job/.test(text) &&
      (names.some((name) => text.includes(name)) || unclearCall.test(text)),
  );
}
