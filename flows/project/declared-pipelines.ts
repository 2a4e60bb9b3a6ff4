import { Failure } from '../../lib/core/failure.ts';
import {
  readSharedPipelines,
  type SharedPipeline,
  sharedPipelinesPath,
} from '../../lib/pipelines/shared-pipelines.ts';
import type { ProjectSource } from './project-files.ts';

interface SharedSource extends Pick<ProjectSource, 'repository' | 'directory'> {
  readonly configDir: string;
}

/** The enabled pipelines of the shared-pipelines file. Throws Failure 'config-missing' and 'pipeline-unreadable'. */
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
