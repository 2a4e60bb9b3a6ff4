import { Failure } from '../../lib/core/errors/failure.ts';
import type { Logger } from '../../lib/core/ports/ports.ts';
import { resolveCall, sharedFile } from '../../lib/pipelines/model/calls.ts';
import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import {
  readSharedPipelines,
  type SharedPipeline,
  sharedPipelinesPath,
} from '../../lib/pipelines/model/shared-pipelines.ts';
import type { ProjectSource } from './project-files.ts';

/**
 * The declared shared pipelines whose files are in an upload. The platform ignores the others (spec §4.8); a
 * warning names each of them.
 */
export function uploadedPipelines(
  declared: readonly SharedPipeline[],
  files: readonly { readonly path: string }[],
  { configDir, logger }: { readonly configDir: string; readonly logger: Logger },
): readonly SharedPipeline[] {
  const paths = new Set(files.map(({ path }) => path));
  return declared.filter(({ id, pipeline }) => {
    const isUploaded = sharedFile(pipeline, paths) !== undefined;
    if (!isUploaded)
      logger.warn(
        `${sharedPipelinesPath(configDir)} declares "${id}", but its pipeline "${pipeline}" is not among the published files: the platform leaves it out. ${fixOf(pipeline, paths)}`,
      );
    return isUploaded;
  });
}

function fixOf(pipeline: string, paths: ReadonlySet<string>): string {
  const called = resolveCall(pipeline, paths);
  if (called === undefined) return 'Commit the pipeline, or remove its entry.';
  return `Write "${withoutSuffix(called)}": the platform compares the path as it is written.`;
}

interface SharedSource extends Pick<ProjectSource, 'repository' | 'directory'> {
  readonly configDir: string;
}

/**
 * Reads the enabled pipelines in the shared-pipelines file. Throws Failure 'config-missing' and
 * 'pipeline-unreadable'.
 */
export async function declaredPipelines(
  { repository, directory, configDir }: SharedSource,
  commit: string,
): Promise<SharedPipeline[]> {
  const file = [directory, sharedPipelinesPath(configDir)].filter((part) => part !== '').join('/');
  const content = await repository.readFile(commit, file);
  if (content === undefined) {
    throw new Failure('config-missing', {
      message: `${file} does not exist at ${commit.slice(0, 12)}. It lists the shared pipelines (spec §2.11).`,
      where: { file },
      hint: 'The pipeline designer writes this file when a pipeline is shared: commit the file. If the file is in another folder, set `config-dir` in millrace.yaml to that folder.',
    });
  }
  const { pipelines, problems } = readSharedPipelines(file, content);
  const [problem] = problems;
  if (problem !== undefined) {
    throw new Failure('pipeline-unreadable', {
      message: problem.message,
      where: { file, line: problem.line, column: problem.column },
    });
  }
  return pipelines.filter(({ enabled }) => enabled);
}
