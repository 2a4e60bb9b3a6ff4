import { sqlMeaning } from '../../../engine/index.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { readText } from '../texts/read-text.ts';

/** A project as it was before a change. */
export interface ProjectBefore {
  readonly project: TestProject;
  /** Files that differ, by their paths now; a deleted one by its old path. */
  readonly changed: ReadonlyMap<string, unknown>;
  /** The old path of each renamed file, by its path now. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Files of which git does not know what they were, each with the reason: the end of a sentence. Default: none. */
  readonly unknown?: ReadonlyMap<string, string>;
}

/**
 * How a file that a project names has changed, as the end of a sentence that begins with the file. Undefined if it
 * has not. A renamed file no longer exists at its old path.
 */
export function fileDifference(
  path: string,
  project: TestProject,
  before: ProjectBefore,
): string | undefined {
  const unknown = before.unknown?.get(path);
  if (unknown !== undefined) return unknown;
  const [has, had] = [project.has(path), before.project.has(path)];
  if (has !== had) return has ? 'is new' : goneText(path, before);
  return has && before.changed.has(path) ? 'changed' : undefined;
}

function goneText(path: string, { renamed }: ProjectBefore): string {
  const now = [...renamed].find(([, old]) => old === path)?.[0];
  return now === undefined ? 'is deleted' : `is now ${now}`;
}

/** Whether a script still does the same: SQL that differs only in its form does. */
export function isSameScript(path: string, project: TestProject, before: ProjectBefore): boolean {
  const difference = fileDifference(path, project, before);
  if (difference !== 'changed' || !/\.sql$/i.test(path)) return difference === undefined;
  const [now, old] = [readText(path, project), readText(path, before.project)];
  return (
    now !== undefined && old !== undefined && sqlMeaning(now, project.kind) === sqlMeaning(old, project.kind)
  );
}
