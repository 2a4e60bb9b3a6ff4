import { type FileSelection, selectFiles } from '../../../lib/git/select-files.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';

/**
 * The files that are left out because a name in their path begins with a dot. A folder with a dot is not left out if
 * `files.include` of millrace.yaml selects a pipeline in it or in a folder below it.
 */
export function hiddenFiles(
  pipelines: readonly string[],
  selection: FileSelection,
): (path: string) => boolean {
  const selected = selectFiles(
    pipelines.flatMap((path) => (dottedPart(path) === undefined ? [] : [{ path }])),
    selection,
  );
  const shown = new Set(selected.map(({ path }) => dottedPart(path)));
  return (path) => {
    const dotted = dottedPart(path);
    return dotted !== undefined && !shown.has(dotted);
  };
}

/** A path up to its last name that begins with a dot, without the suffix of a pipeline or a test file. */
function dottedPart(path: string): string | undefined {
  const suffix = kindOf(path) === undefined ? /\.test\.yaml$/ : /\.(?:orch|tran)\.yaml$/;
  return /^(?:.*\/)?\.[^/]+/.exec(path.replace(suffix, ''))?.[0];
}
