import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { decodeText } from '../../lib/core/files/decode-text.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import {
  type PipelineDocument,
  maxPipelineBytes,
  readPipeline,
} from '../../lib/pipelines/model/read-pipeline.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import { resolveInProject } from '../../lib/pipelines/model/calls.ts';
import type { PipelineKind } from '../../lib/pipelines/model/pipeline-kind.ts';
import { readRoots } from '../review/scope/call-roots.ts';
import type { ReviewRequest } from '../review/scope/review-request.ts';
import { pipelinesAmong } from '../review/scope/review-scope.ts';

/** A project with files that are open in an editor. Its snapshot contains the editor's texts. */
export interface EditorProject {
  /** The review of the work tree, as the command `millrace review` makes it. */
  readonly request: ReviewRequest & { readonly snapshot: Snapshot };
  readonly config: ProjectConfig;
  /** Name of the file of the settings, relative to the repository. */
  readonly configFile: string;
}

/** The pipelines of the project, relative to it, which calls can name. */
export async function pipelinesOf({ request }: EditorProject): Promise<ReadonlySet<string>> {
  const { snapshot, directory } = request;
  const prefix = inRepository(directory, '').length;
  const entries = await snapshot.list(directory);
  return new Set(pipelinesAmong(entries, request).map((path) => path.slice(prefix)));
}

/** Reads the text of a file in the repository; undefined if it does not exist, is larger than 4 MiB, or is not text. */
export async function textIn({ request }: EditorProject, path: string): Promise<string | undefined> {
  const read = await request.snapshot.readFiles([path], maxPipelineBytes);
  const content = request.snapshot.links.has(path) ? undefined : read.get(path);
  return content === undefined ? undefined : decodeText(content).text;
}

/** Reads a pipeline by its path in the project; undefined if its file cannot be read. */
export async function pipelineIn(
  project: EditorProject,
  path: string,
): Promise<PipelineDocument | undefined> {
  const file = inRepository(project.request.directory, path);
  const text = await textIn(project, file);
  return text === undefined ? undefined : readPipeline(file, text);
}

/** The pipeline that a call leads to, relative to the project. */
export async function calledFrom(
  { request }: EditorProject,
  { target, kind }: { readonly target: string; readonly kind: PipelineKind | undefined },
): Promise<string | undefined> {
  const { snapshot, directory, callFolder } = request;
  const prefix = inRepository(directory, '').length;
  const files = pipelinesAmong(await snapshot.list(directory), request);
  const paths = new Set(files.map((path) => path.slice(prefix)));
  const { roots, prepare } = readRoots({ snapshot, directory, files, set: callFolder });
  await prepare([{ kind: kind ?? 'orchestration', target }]);
  return resolveInProject(target, { has: (path) => paths.has(path), roots }, kind);
}
