import type { Finding } from '../../lib/core/outcomes/finding.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { FlowContext } from '../context/context.ts';
import { reviewLocally } from '../review/review-locally.ts';
import type { EditorProject } from './editor-project.ts';

/** The findings of files, by path relative to the repository. A file that git ignores is not in the map. */
export type FileFindings = ReadonlyMap<string, readonly Finding[]>;

/** Finds what `millrace review --local --working-tree` would find in these pipelines. */
export async function reviewOpenPipelines(
  { request }: EditorProject,
  paths: readonly string[],
  context: FlowContext,
): Promise<FileFindings> {
  const listed = new Set((await request.snapshot.list()).map(({ path }) => path));
  const files = paths.filter((path) => kindOf(path) !== undefined && listed.has(path));
  if (files.length === 0) return new Map();
  const { findings } = await reviewLocally({ ...request, files }, context);
  return findingsIn(files, findings);
}

/**
 * Finds what a review of the whole project would find in other files: the settings, the rules and the shared
 * pipelines.
 */
export async function reviewOpenSettings(
  { request }: EditorProject,
  paths: readonly string[],
  context: FlowContext,
): Promise<FileFindings> {
  const listed = new Set((await request.snapshot.list()).map(({ path }) => path));
  const files = paths.filter((path) => kindOf(path) === undefined && listed.has(path));
  if (files.length === 0) return new Map();
  const { files: _, ...whole } = request;
  const { findings } = await reviewLocally({ ...whole, scope: 'all' }, context);
  return findingsIn(files, findings);
}

function findingsIn(files: readonly string[], findings: readonly Finding[]): FileFindings {
  const current = findings.filter(({ state }) => state !== 'fixed');
  return new Map(files.map((path) => [path, current.filter(({ file }) => file === path)]));
}
