import { FileProblems } from '../../../engine/index.ts';
import {
  type CallFolder,
  callRoot,
  type CallRoots,
  callsInText,
  type FoundRoot,
  isOwnRoot,
  takenRoot,
} from '../../../lib/pipelines/model/call-root.ts';
import type { CallTargets } from '../../../lib/pipelines/model/calls.ts';

type ReadText = (path: string) => string | undefined;

/** Finds the folder from which the calls of a project resolve. Reads the texts of the pipelines on first use. */
export function projectRoots(
  { pipelines, text }: { readonly pipelines: readonly string[]; readonly text: ReadText },
  set: CallFolder | undefined,
): CallRoots {
  let found: { readonly root: FoundRoot | undefined } | undefined;
  const find = () => {
    const calls = pipelines.flatMap((path) => callsInText(path, textOf(path, text)));
    const root = callRoot(pipelines, calls);
    return { root: isOwnRoot(root) ? undefined : root };
  };
  return { set, found: () => (found ??= find()).root, taken: () => takenRoot(set, found?.root) };
}

/** The text of a pipeline; empty for one that cannot be read, which has no call. */
function textOf(path: string, text: ReadText): string {
  try {
    return text(path) ?? '';
  } catch (error) {
    if (error instanceof FileProblems) return '';
    throw error;
  }
}

/** Resolves the calls of a project. Reads the file of shared pipelines only once. */
export function callTargetsOf(project: CallTargets): CallTargets {
  return { has: (path) => project.has(path), shared: project.shared, roots: project.roots };
}
