import path from 'node:path';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { ProjectConfig } from '../../lib/config/project/read-project-config.ts';
import { readProjectConfig } from '../../lib/config/project/read-project-config.ts';
import { openRepository } from '../../lib/git/repository.ts';
import type { Seed } from '../../platform/index.ts';
import type { DemoSource } from './demo-source.ts';
import type { Session } from '../kit/session.ts';
import { demoRepository } from './demo-config.ts';
import { demoProjectId, demoSeed } from './demo-seed.ts';

const settingsFile = 'millrace.yaml';

/** The example project of the package, as the source of the demo. */
export const exampleSource: DemoSource = {
  repository: demoRepository,
  projectId: demoProjectId,
  seed: demoSeed,
  branch: 'main',
  tags: ['v*'],
  environments: ['test', 'prod'],
  pipelines: ['daily/*'],
  gated: ['prod'],
};

/**
 * The user's own repository as the source of the demo, with the settings of its `millrace.yaml` at HEAD. Executions
 * are simulated, because the local platform does not have its data. Throws Failure 'usage' if the file is missing
 * or lacks a project, lanes or a release, 'config-invalid', and git's failures.
 */
export async function ownSource({ here, io, flow }: Session, folder: string): Promise<DemoSource> {
  const place = path.resolve(here, folder);
  const repository = await openRepository(place, { environment: { ...io.env }, signal: flow.signal });
  const [text, branch] = await Promise.all([
    repository.readFile('HEAD', settingsFile),
    repository.headBranch(),
  ]);
  if (text === undefined)
    throw unusable(folder, `its last commit has no ${settingsFile} in the root of the repository`);
  if (branch === undefined) throw unusable(folder, 'no branch is checked out');
  const config = readProjectConfig(text.toString('utf8'), settingsFile);
  const { project, lanes, release } = config;
  if (project === undefined) throw unusable(folder, `${settingsFile} has no \`project\``);
  if (lanes.length === 0) throw unusable(folder, `${settingsFile} has no \`lanes\``);
  if (release.environment === undefined)
    throw unusable(
      folder,
      `${settingsFile} does not say where a release is published (\`release.environment\`)`,
    );
  const targets = [...new Set(lanes.map(({ to }) => to))];
  return {
    repository: { id: demoRepository.id, name: `demo/${path.basename(place).replaceAll(/[^\w.-]+/g, '-')}` },
    projectId: project,
    seed: async () => ownSeed(config, project),
    branch,
    tags: [release.tag],
    environments: targets,
    pipelines: ['**'],
    gated: targets.filter((target) => !lanes.some(({ from }) => from === target)),
    copyOf: repository.root,
  };
}

async function ownSeed({ environments, lanes, release }: ProjectConfig, id: string): Promise<Seed> {
  const example = await demoSeed();
  const names = [...environments, ...lanes.flatMap(({ from, to }) => [from, to]), release.environment ?? ''];
  const [project] = example.projects ?? [];
  return {
    credentials: example.credentials,
    settings: { ...example.settings, execution: 'simulate', componentTime: '300ms' },
    projects: [
      {
        ...project,
        id,
        name: 'own',
        description: 'The repository of --repository',
        environments: [...new Set(names)].filter((name) => name !== ''),
      },
    ],
  };
}

function unusable(folder: string, reason: string): Failure {
  return new Failure('usage', {
    message: `The demo cannot use the repository ${folder}: ${reason}.`,
    where: { input: '--repository' },
    hint: '`millrace init` writes the file, and docs/worker.md shows lanes. Commit it, then start the demo again. Without --repository, the demo has an example project.',
  });
}
