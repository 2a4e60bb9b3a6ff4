import { createHmac, randomBytes } from 'node:crypto';
import { isSignedWith } from '../../../../worker/intake/receiver/signature.ts';
import { toTest } from '../../../environment/worker/lanes-at-work.ts';
import { webhookSecret } from '../../../environment/worker/worker-environment.ts';
import { pushOf } from '../../environment/flood.ts';
import { inThread } from '../../environment/in-thread.ts';
import { startRedisServer } from '../../environment/redis-server.ts';
import { createTrialEnvironment } from '../../environment/trial-environment.ts';
import { mustHold, type Trial } from '../../trial.ts';

const hmac = (body: string | Buffer, secret: string, algorithm = 'sha256'): string =>
  createHmac(algorithm, secret).update(body).digest('hex');

/** Wrong signatures of a body, by name. */
function forgeries(body: string): Readonly<Record<string, string | undefined>> {
  const right = hmac(body, webhookSecret);
  const flipped = (i: number): string =>
    right.slice(0, i) + (right[i] === '0' ? '1' : '0') + right.slice(i + 1);
  return {
    none: undefined,
    empty: '',
    'the prefix alone': 'sha256=',
    'another secret': `sha256=${hmac(body, 'guess')}`,
    'an empty secret': `sha256=${hmac(body, ' ')}`,
    'another body': `sha256=${hmac(`${body} `, webhookSecret)}`,
    'first digit': `sha256=${flipped(0)}`,
    'last digit': `sha256=${flipped(63)}`,
    truncated: `sha256=${right.slice(0, 63)}`,
    'too long': `sha256=${right}0`,
    'upper case': `sha256=${right.toUpperCase()}`,
    'upper-case prefix': `SHA256=${right}`,
    'no prefix': right,
    'SHA-1': `sha1=${hmac(body, webhookSecret, 'sha1')}`,
    'SHA-1 as SHA-256': `sha256=${hmac(body, webhookSecret, 'sha1')}`,
    'SHA-512': `sha512=${hmac(body, webhookSecret, 'sha512')}`,
    twice: `sha256=${right}, sha256=${right}`,
    'with a space': `sha256= ${right}`,
  };
}

export const signatures: Trial = {
  id: 'T11',
  title:
    'Forged, truncated, altered and missing signatures; two secrets at once; the time that a refusal takes',
  criterion:
    'no wrong signature is accepted; during a rotation both secrets are; by Welch’s t-test the time reveals nothing (|t| < 4.5)',
  async run({ form, scale }) {
    await using server = await startRedisServer();
    await using env = await createTrialEnvironment(server, { lanes: toTest });
    const worker = await env.start();
    const good = pushOf('signed');
    let refused = 0;
    for (const [name, signature] of Object.entries(forgeries(good.body))) {
      const { 'x-hub-signature-256': _, ...headers } = good.headers;
      const status = await env.send(worker.url, {
        body: good.body,
        headers: signature === undefined ? headers : { ...headers, 'x-hub-signature-256': signature },
      });
      mustHold(status === 401, `${name}: answered ${status ?? 'nothing'}`);
      refused += 1;
    }
    mustHold((await env.send(worker.url, good)) === 202, 'the right one is accepted');

    const body = randomBytes(1_000);
    const [old, next] = [`sha256=${hmac(body, 'old')}`, `sha256=${hmac(body, 'new')}`];
    mustHold(
      isSignedWith(body, old, ['new', 'old']) && isSignedWith(body, next, ['new', 'old']),
      'both while it is replaced',
    );
    mustHold(
      !isSignedWith(body, old, ['new']) && isSignedWith(body, next, ['new']),
      'the old one no longer, once it is',
    );
    if (form === 'short') return { forgeries: refused };
    const samples = Math.round(1_000_000 * scale);
    const t = await inThread<number>(new URL('../../environment/time-refusals.ts', import.meta.url), {
      samples,
    });
    mustHold(Math.abs(t) < 4.5, `the time tells early from late differences: t = ${t.toFixed(2)}`);
    return { forgeries: refused, 'timed refusals': samples, 'Welch t': t.toFixed(2) };
  },
};
