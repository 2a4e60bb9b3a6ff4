import { checkedAddress } from '../../lib/config/environment-reader.ts';
import type { NotifyReference } from '../../lib/config/notify-schema.ts';
import { Failure } from '../../lib/core/failure.ts';
import type { NotifyTarget } from '../../worker/reporting/webhook/create-notifier.ts';
import type { SecretReader } from './github-access.ts';

/**
 * The webhooks that worker.yaml has the worker tell. Read once at the start, so that what is missing is found then,
 * and again for each notification. Failures: 'config-missing' naming the variable or file, 'usage' for an address that
 * is none.
 */
export function notifyTargets(
  references: readonly NotifyReference[],
  { read, mask }: SecretReader,
): readonly NotifyTarget[] {
  const value = (variable: string | undefined, file: string | undefined): string => {
    const found = read(variable, file);
    const input = variable ?? file ?? '';
    if (found === undefined || found === '')
      throw new Failure('config-missing', {
        message: `${input}, which \`notify\` in worker.yaml names, is not set or empty.`,
        where: { input },
      });
    mask(found.split(/\r?\n/).filter((one) => one.trim() !== ''));
    return found;
  };
  return references.map((reference) => {
    const { url, urlEnv, urlFile, secretEnv, secretFile, events } = reference;
    const target: NotifyTarget = {
      url: () => url ?? checkedAddress(urlEnv ?? urlFile ?? '', value(urlEnv, urlFile)),
      secret: () => value(secretEnv, secretFile),
      events,
    };
    target.url();
    target.secret();
    return target;
  });
}
