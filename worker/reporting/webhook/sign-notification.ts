import { createHmac } from 'node:crypto';

/**
 * The headers of Standard Webhooks (standardwebhooks.com): id, time in seconds, and an HMAC-SHA256 over
 * `id.timestamp.body`. A secret that starts with `whsec_` has its key in Base64. If there are several secrets, one
 * per line, each makes a signature, so that they can be rotated.
 */
export function signNotification(
  secrets: string,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const signatures = secretsIn(secrets).map((secret) => {
    const mac = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`);
    return `v1,${mac.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/**
 * The reason why the secrets cannot sign, as a text to put after the name of their place; undefined if they can. An
 * empty key is refused, because anyone could sign with it.
 */
export function secretsProblem(secrets: string): string | undefined {
  const lines = linesOf(secrets);
  const count = secretsIn(secrets).length;
  if (count === 0) return 'which is not set or is empty';
  const bad = lines.findIndex((line) => line.startsWith('whsec_') && !base64Pattern.test(encodedKey(line)));
  if (bad === -1) return undefined;
  const which = count === 1 ? 'whose secret' : `whose secret on line ${bad + 1}`;
  return `${which} begins with whsec_, but what follows is ${encodedKey(lines[bad] ?? '') === '' ? 'empty' : 'not Base64'}`;
}

const linesOf = (secrets: string): readonly string[] => secrets.split(/\r?\n/).map((line) => line.trim());
const secretsIn = (secrets: string): readonly string[] => linesOf(secrets).filter((line) => line !== '');

/** At least one byte, with or without the padding; also the alphabet of URLs. */
const base64Pattern = /^(?:[\w+/-]{4})*(?:[\w+/-]{4}|[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)$/;

const encodedKey = (secret: string): string => secret.slice('whsec_'.length);

function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(encodedKey(secret), 'base64') : Buffer.from(secret);
}
