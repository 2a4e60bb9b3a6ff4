import path from 'node:path';
import { readTextFile } from '../../lib/core/files/read-text-file.ts';
import type { ConfigFile, WorkerSetup } from '../../worker/app/config-watcher.ts';
import { readSignIn } from './github-sign-in.ts';
import { notifyTargets } from './notify-targets.ts';
import type { Session } from '../kit/session.ts';
import { platformAccess, repositorySecrets, webhookSecrets } from './worker-access.ts';
import { parseWorkerFile, readWorkerText, secretReader } from './worker-file.ts';

/**
 * Reads `worker.yaml`, and the secrets and files that it refers to, so that a missing one is reported at the start
 * and not at the first webhook. Throws Failure 'config-missing', 'config-invalid', 'usage', 'no-base-url',
 * 'no-token'.
 */
export async function openWorkerSetup(
  session: Session,
  name: string,
): Promise<{ readonly setup: WorkerSetup; readonly configFile: ConfigFile }> {
  const { io } = session;
  const load = async (text: string): Promise<WorkerSetup> => {
    const config = await parseWorkerFile(text, name);
    webhookSecrets(config, session);
    repositorySecrets(config, session);
    readSignIn(config, session);
    const notify = notifyTargets(config.notify, secretReader(session));
    for (const { credential } of config.repositories) platformAccess(config, session, credential);
    return { config, notify };
  };
  const text = await readWorkerText(session, name);
  const configFile: ConfigFile = {
    name,
    text,
    readText: () => readTextFile(path.resolve(io.cwd, name), name),
    load,
    onRequest: (listener) => io.onHangUp?.(listener),
  };
  return { setup: await load(text), configFile };
}
