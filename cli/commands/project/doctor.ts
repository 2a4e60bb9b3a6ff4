import { existsSync } from 'node:fs';
import path from 'node:path';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { type Check, check, checkPlatform } from '../../../flows/doctor/doctor.ts';
import { readGitVersion } from '../../../lib/git/process/git-version.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { commandAction, type AddCommand, definePlatformCommand } from '../../kit/command.ts';
import { isInRepository } from '../../kit/project-folder.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { withProgramName } from '../../terminal/program-name.ts';

interface Options extends CommonOptions {
  readonly workerConfig?: string;
}

/** Checks for roles that many credentials lack on purpose. They are reported, but do not make the command fail. */
const optional = new Set(['shared pipelines (role Admin)', 'audit log (role Super Admin)']);

/** `millrace doctor`: checks the set-up, and shows for each problem how to fix it. */
export const addDoctor: AddCommand = (program, shell) => {
  definePlatformCommand(program, 'doctor', 'Check the set-up, and show how to fix each problem.')
    .option('--worker-config <file>', 'configuration of the worker (default: worker.yaml if it exists)')
    .action(
      commandAction<Options>(shell, async (session, options) => {
        const { output } = session;
        const file = options.workerConfig ?? 'worker.yaml';
        const worker = options.workerConfig !== undefined || existsSync(path.resolve(session.io.cwd, file));
        // A host of the worker needs no project, so a missing repository or millrace.yaml is not a problem there.
        const onlyWorker = worker && !isInRepository(session.directory) && !hasConfig(session, options);
        const checks: readonly Check[] = [
          await check('Node', async () => nodeVersion()),
          ...(onlyWorker ? [] : await checkProject(session, options)),
          ...(worker ? await checkWorker(session, file) : []),
        ];
        const failed = checks.filter(({ ok, what }) => !ok && !optional.has(what));
        const outcome = failed.length === 0 ? ('passed' as const) : ('failed' as const);
        output.result(
          { outcome, checks },
          checks.flatMap(linesOf).map((line) => withProgramName(line, session.io)),
        );
        return outcome;
      }),
    );
};

/** Checks the repository, the project's settings, and the platform with these settings. */
async function checkProject(session: Session, options: Options): Promise<readonly Check[]> {
  const config = await check('millrace.yaml', async () => {
    const { environments, lanes } = await session.projectConfig();
    if (!hasConfig(session, options))
      return 'does not exist, so the defaults apply: no environments, no lanes';
    return `${numberOf(environments.length, 'environment')}, ${numberOf(lanes.length, 'lane')}`;
  });
  const checks: Check[] = [
    await check('git', async () => readGitVersion(session.io.env)),
    await check('repository', async () => {
      const { repository } = await session.repository();
      return `${repository.root} at ${await repository.resolveCommit('HEAD')}`;
    }),
    config,
    // The runner version is in the file that cannot be read.
    ...(config.ok ? [await checkAgentVersion(session)] : []),
  ];
  const onPlatform: Check[] = [];
  const reached = await check('platform settings', async () =>
    session.withClient(async (client) => {
      const environments = config.ok ? (await session.projectConfig()).environments : [];
      const project = { projectIdOf: session.projectId, environments };
      onPlatform.push(...(await checkPlatform(client, project, session.flow.signal)));
      return 'address and credential are set';
    }),
  );
  return [...checks, reached, ...onPlatform];
}

function checkAgentVersion(session: Session): Promise<Check> {
  return check('runner version for reviews', async () => {
    const { requireSetting } = await import('../../../lib/config/environment/require-setting.ts');
    const file = (await session.projectConfig()).review.agentVersion;
    const { value, origin } = requireSetting('no-agent-version', {
      environment: session.settings.agentVersion,
      file,
    });
    return `${value} (from ${origin})`;
  });
}

function hasConfig({ here, directory }: Session, { config }: Options): boolean {
  return existsSync(
    config === undefined ? path.join(directory, 'millrace.yaml') : path.resolve(here, config),
  );
}

/** Checks everything that a worker with this configuration needs. */
async function checkWorker(session: Session, file: string): Promise<readonly Check[]> {
  const { readWorkerFile } = await import('../../worker/worker-file.ts');
  let config: WorkerConfig | undefined;
  const read = await check(file, async () => {
    config = await readWorkerFile(session, file, '--worker-config');
    return numberOf(config.repositories.length, 'repository', 'repositories');
  });
  if (config === undefined) return [read];
  const { checkMissedPushes } = await import('../../doctor/check-missed-pushes.ts');
  const { checkWorkerHost } = await import('../../doctor/check-worker-host.ts');
  const { checkTeams } = await import('../../doctor/check-teams.ts');
  const { checkGitHubApp } = await import('../../worker/check-github-app.ts');
  return [
    read,
    ...(await checkWorkerHost(config, session)),
    ...(await checkGitHubApp(config, session)),
    ...(await checkTeams(config, session)),
    ...(await checkMissedPushes(config, session)),
  ];
}

function linesOf({ what, ok, message, hint }: Check): string[] {
  const mark = ok ? 'ok  ' : optional.has(what) ? 'note' : 'FAIL';
  // A failed check may report several problems, one per line. A passed check is always one line.
  const text = `${what}: ${message}`;
  const [first = '', ...more] = ok ? [text] : text.split('\n');
  return [
    `${mark} ${first}`,
    ...more.map((line) => `     ${line.trim()}`),
    ...(hint === undefined ? [] : [`     how to fix: ${hint}`]),
  ];
}

/** Failure 'usage' if this Node is older than what the package asks for. */
function nodeVersion(): string {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.version;
  throw new Failure('usage', {
    message: `Node ${process.version} is too old for Millrace.`,
    where: { input: 'node' },
    hint: 'Install Node 24 or later.',
  });
}
