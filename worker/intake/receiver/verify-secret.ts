import { payloadSchema } from '../../records/payload-schema.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import * as z from 'zod';
import { isSignedWith } from './signature.ts';

/** All secrets that are valid now: two of each during a rotation. */
export interface WebhookSecrets {
  /** For repositories without secrets of their own. */
  readonly common: readonly string[];
  /** By the id of the repository: only these are valid for it. */
  readonly byRepository: ReadonlyMap<number, readonly string[]>;
}

/** Size from which other deliveries get their turn between two secrets. */
const largeBytes = 1024 * 1024;

/**
 * The valid secrets with which a body was signed. GitHub names the webhook's repository in headers; the signature
 * does not cover these headers, so they only limit which secrets are tried.
 */
export async function findSigningSecrets(
  body: Buffer,
  { header, headers }: { readonly header: string; readonly headers: IncomingHttpHeaders },
  secrets: WebhookSecrets,
): Promise<readonly string[]> {
  const signing: string[] = [];
  for (const secret of new Set(candidates(headers, secrets))) {
    if (isSignedWith(body, header, [secret])) signing.push(secret);
    if (body.length >= largeBytes) await setImmediate();
  }
  return signing;
}

function candidates(
  headers: IncomingHttpHeaders,
  { common, byRepository }: WebhookSecrets,
): readonly string[] {
  if (headers['x-github-hook-installation-target-type'] === 'repository')
    return byRepository.get(Number(headers['x-github-hook-installation-target-id'])) ?? common;
  return [...common, ...[...byRepository.values()].flat()];
}

const named = payloadSchema<'push' | 'issue_comment' | 'check_run' | 'check_suite'>()(
  z.object({ repository: z.object({ id: z.number() }) }),
);

/**
 * Whether one of the secrets is valid for the repository that the body names; for a body without a repository,
 * whether one is a common secret.
 */
export function isForRepository(
  signing: readonly string[],
  parsed: unknown,
  { common, byRepository }: WebhookSecrets,
): boolean {
  const id = named.safeParse(parsed).data?.repository.id;
  const valid = (id === undefined ? undefined : byRepository.get(id)) ?? common;
  return signing.some((secret) => valid.includes(secret));
}
