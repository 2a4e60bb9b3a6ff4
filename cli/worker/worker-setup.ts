import path from 'node:path';
import { readTextFile } from '../../lib/core/files/read-text-file.ts';
import type { ConfigFile, WorkerSetup } from '../../worker/app/config-watcher.ts';
import { readSignIn } from './github-sign-in.ts';
import type { Session } from '../kit/session.ts';
import { platformAccess, repositorySecrets, webhookSecrets } from './worker-access.ts';
import { parseWorkerFile, readWorkerText, secretReader } from './worker-file.ts';
import { checkedAddress } from '../../lib/config/environment/environment-reader.ts';
import type { NotifyReference } from '../../lib/config/worker/notify-schema.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { NotifyTarget } from '../../worker/reporting/webhook/create-notifier.ts';
import { secretsProblem } from '../../worker/reporting/webhook/sign-notification.ts';
import type { SecretReader } from './github-access.ts';

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

/**
 * The webhooks that `notify` in worker.yaml lists. Their settings are read once at the start, to find missing ones early,
 * and again for each notification. Throws Failure 'config-missing' with the variable or file, 'config-invalid' for a secret that
 * cannot sign, and 'usage' for an invalid address.
 */
export function notifyTargets(
  references: readonly NotifyReference[],
  { read, mask }: SecretReader,
): readonly NotifyTarget[] {
  const value = (variable: string | undefined, file: string | undefined): string => {
    const text = read(variable, file);
    const input = variable ?? file ?? '';
    if (text === undefined || text.trim() === '')
      throw new Failure('config-missing', {
        message: `\`notify\` in worker.yaml refers to ${input}, which is not set or is empty.`,
        hint:
          variable === undefined
            ? `Write the value into the file ${input}, or remove this entry of \`notify\`.`
            : `Set ${input} for the worker, or remove this entry of \`notify\`.`,
        where: { input },
      });
    mask(text.split(/\r?\n/).filter((line) => line.trim() !== ''));
    return text;
  };
  const secret = (variable: string | undefined, file: string | undefined): string => {
    const text = value(variable, file);
    const problem = secretsProblem(text);
    if (problem === undefined) return text;
    const input = variable ?? file ?? '';
    throw new Failure('config-invalid', {
      message: `\`notify\` in worker.yaml refers to ${input}, ${problem}.`,
      hint: `Put the whole secret of the receiver into ${input}: whsec_ and the Base64 of its key, such as \`echo "whsec_$(openssl rand -base64 32)"\` prints. A secret without whsec_ may be any text.`,
      where: { input },
    });
  };
  return references.map((reference) => {
    const { url, urlEnv, urlFile, secretEnv, secretFile, events } = reference;
    const target: NotifyTarget = {
      url: () => url ?? checkedAddress(urlEnv ?? urlFile ?? '', value(urlEnv, urlFile)),
      secret: () => secret(secretEnv, secretFile),
      events,
    };
    target.url();
    target.secret();
    return target;
  });
}
