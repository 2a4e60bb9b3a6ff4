import { isSameSql } from '../../../engine/index.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { type CompareSql, contentChange } from '../change/changed-content.ts';
import {
  changedCall,
  changedScript,
  type ProjectBefore,
  scriptDifference,
} from '../change/changed-references.ts';

export type { ProjectBefore } from '../change/changed-references.ts';

/** A pipeline that does something else than before, or whose files do. */
export interface ChangedPipeline {
  /** The path now; of a deleted pipeline, the old path. */
  readonly pipeline: string;
  /** The line of the first change; undefined for a pipeline that is deleted or left out. */
  readonly line: number | undefined;
  /** What has changed: the end of a sentence that begins with the pipeline. */
  readonly what: string;
}

/**
 * The pipelines that changed by what they mean. The canvas, comments, quotes, the order of keys and the form of a text mean nothing; of
 * SQL, blanks, comments and the case of words neither. A file with a script changes the pipelines that run it, and so does what makes a
 * call lead to another pipeline.
 */
export function changedPipelines(project: TestProject, before: ProjectBefore): readonly ChangedPipeline[] {
  const paths = project.pipelines.filter((path) => !project.isHidden(path));
  const old = new Set(before.renamed.values());
  const deleted = before.project.pipelines.filter((path) => !project.has(path) && !old.has(path));
  const leftOut = before.project.pipelines.filter(
    (path) => project.has(path) && project.isHidden(path) && !before.project.isHidden(path),
  );
  return [
    ...paths.flatMap((path) => changeOf(path, project, before) ?? []),
    ...deleted.map((pipeline) => ({ pipeline, line: undefined, what: 'is deleted' })),
    ...leftOut.map((pipeline) => ({
      pipeline,
      line: undefined,
      what: 'is left out by `files` in millrace.yaml',
    })),
  ];
}

function changeOf(path: string, project: TestProject, before: ProjectBefore): ChangedPipeline | undefined {
  const document = project.pipeline(path);
  if (document === undefined) return undefined;
  const at = (line: number, what: string) => ({ pipeline: path, line, what });
  const oldPath = before.renamed.get(path) ?? path;
  const previous = before.project.pipeline(oldPath);
  const { line } = document.range;
  const unknown = before.unknown?.get(path);
  if (unknown !== undefined) return at(line, unknown);
  if (before.project.kind !== project.kind) return at(line, 'runs on another kind of warehouse');
  if (previous === undefined) return at(line, 'is new');
  if (oldPath !== path) return at(line, `was ${oldPath}`);
  if (before.project.isHidden(path)) return at(line, 'was left out by `files` in millrace.yaml');
  const isSame: CompareSql = (sql, oldSql) => isSameSql(sql, oldSql, project.kind);
  const own = before.changed.has(path) ? contentChange(document, previous, isSame) : undefined;
  if (own !== undefined) return at(own, `changed at line ${own}`);
  const reference = changedScript(document, project, before) ?? changedCall(document, project, before);
  return reference && at(reference.line, reference.what);
}

/** Whether a file differs, and does the same as before: a pipeline, or a script of one. */
export function isSameByMeaning(path: string, project: TestProject, before: ProjectBefore): boolean {
  if (kindOf(path) === undefined)
    return scriptDifference(path, /\.sql$/i.test(path), project, before) === undefined;
  return project.has(path) && changeOf(path, project, before) === undefined;
}
