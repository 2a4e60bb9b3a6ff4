import { type FileSelection, selectFiles } from '../../../lib/git/select-files.ts';
import { kindOf, pipelineKinds, suffixOf } from '../../../lib/pipelines/model/pipeline-kind.ts';

/** The folder of a file whose own name begins with a dot. Names such as `._load.test.yaml` and `.#load.test.yaml` come from other programs. */
const dottedName = /^(|.*\/)\.[\p{L}\p{N}][^/]*$/u;

/**
 * The files that are left out because a name in their path begins with a dot. A folder whose name begins with a dot
 * is searched if `files.include` of millrace.yaml selects a pipeline in it or below it. For a test file, only the
 * folders count, unless it is beside a pipeline of its name.
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
  const all = new Set(pipelines);
  const hasPipeline = (path: string) =>
    pipelineKinds.some((kind) => all.has(path.replace(/\.test\.yaml$/, suffixOf(kind))));
  return (path) => {
    const folder = kindOf(path) === undefined ? dottedName.exec(path)?.[1] : undefined;
    const dotted = dottedPart(folder === undefined || hasPipeline(path) ? path : folder);
    return dotted !== undefined && !shown.has(dotted);
  };
}

/** A path up to its last name that begins with a dot, without the suffix of a pipeline or a test file. */
function dottedPart(path: string): string | undefined {
  const suffix = kindOf(path) === undefined ? /\.test\.yaml$/ : /\.(?:orch|tran)\.yaml$/;
  return /^(?:.*\/)?\.[^/]+/.exec(path.replace(suffix, ''))?.[0];
}
