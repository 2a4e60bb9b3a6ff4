import { existsSync } from 'node:fs';
import path from 'node:path';
import type { WorkerConfig } from '../../config/read-worker-config.ts';
import { numberOf } from '../../model/number-of.ts';
import { type Check, check, checkPlatform } from '../../flows/doctor.ts';
import { readGitVersion } from '../../git/git-version.ts';
import { Failure } from '../../model/failure.ts';
import { act, type AddCommand, definePlatformCommand } from '../command.ts';
import type { CommonOptions, Session } from '../session.ts';

interface Options extends CommonOptions {
  readonly workerConfig?: string;
}

/** Roles that many credentials rightly lack: their absence is said and does not fail the doctor. */
const optional = new Set(['shared pipelines (role Admin)', 'audit log (role Super Admin)']);

/** `millrace doctor`: what works, what does not, and the mend for each. */
export const addDoctor: AddCommand = (program, shell) => {
  definePlatformCommand(program, 'doctor', 'Say what works, what does not, and how to mend it.')
    .option('--worker-config <file>', 'the worker’s configuration (default: worker.yaml where there is one)')
    .action(
      act<Options>(shell, async (session, options) => {
        const { output, settings } = session;
        const checks: Check[] = [
          await check('Node', async () => nodeVersion()),
          await check('git', async () => readGitVersion(session.io.env)),
          await check('repository', async () => {
            const { repository } = await session.repository();
            return `${repository.root} at ${await repository.resolveCommit('HEAD')}`;
          }),
          await check('millrace.yaml', async () => {
            const { environments, lanes } = await session.projectConfig();
            const there = existsSync(path.resolve(session.directory, options.config ?? 'millrace.yaml'));
            if (!there) return 'there is none, so the defaults hold: no environments, no lanes';
            return `${numberOf(environments.length, 'environment')}, ${numberOf(lanes.length, 'lane')}`;
          }),
          await check('runner version for reviews', async () => {
            const { requireSetting } = await import('../../config/require-setting.ts');
            const file = (await session.projectConfig()).review.agentVersion;
            const { value, origin } = requireSetting('no-agent-version', {
              environment: settings.agentVersion,
              file,
            });
            return `${value} (from ${origin})`;
          }),
        ];
        const onPlatform: Check[] = [];
        const reached = await check('settings of the platform', async () =>
          session.withClient(async (client) => {
            onPlatform.push(...(await checkPlatform(client, session.projectId, session.flow.signal)));
            return 'address and credential are set';
          }),
        );
        checks.push(reached, ...onPlatform, ...(await checkWorker(session, options)));
        const failed = checks.filter(({ ok, what }) => !ok && !optional.has(what));
        const outcome = failed.length === 0 ? ('passed' as const) : ('failed' as const);
        output.result({ outcome, checks }, checks.flatMap(linesOf));
        return outcome;
      }),
    );
};

/** Only where there is a worker to look at. */
async function checkWorker(session: Session, { workerConfig }: Options): Promise<readonly Check[]> {
  const file = workerConfig ?? 'worker.yaml';
  if (workerConfig === undefined && !existsSync(path.resolve(session.io.cwd, file))) return [];
  const { readWorkerFile } = await import('../worker-file.ts');
  let config: WorkerConfig | undefined;
  const read = await check(file, async () => {
    config = await readWorkerFile(session, file);
    return numberOf(config.repositories.length, 'repository', 'repositories');
  });
  if (config === undefined) return [read];
  const { checkMissedPushes } = await import('../check-missed-pushes.ts');
  return [read, ...(await checkMissedPushes(config, session))];
}

function linesOf({ what, ok, said, mend }: Check): string[] {
  const mark = ok ? 'ok  ' : optional.has(what) ? 'note' : 'FAIL';
  return [`${mark} ${what}: ${said}`, ...(mend === undefined ? [] : [`     what to do: ${mend}`])];
}

/** Failure 'usage' where this Node is older than what the package asks for. */
function nodeVersion(): string {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.version;
  throw new Failure('usage', {
    message: `${process.version} is too old.`,
    where: { input: 'node' },
    mend: 'Use Node 24 or later.',
  });
}
