import path from 'node:path';
import type { WorkerConfig } from '../../lib/config/worker/read-worker-config.ts';
import { readWebhookSecrets, readWorkerToken } from '../../lib/config/environment/read-environment.ts';
import { secretOf } from '../../lib/config/environment/platform-credential.ts';
import { type PlatformAccess, resolveCredential } from '../../lib/config/worker/resolve-credential.ts';
import type { RepositoryPolicy } from '../../lib/config/worker/worker-schema.ts';
import { readTextFileSync } from '../../lib/core/files/read-text-file.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Session } from '../kit/session.ts';
import { secretReader } from './worker-file.ts';

/** Reads the current secrets of the webhook. Masks each in all later output. Throws Failure 'usage' if none is set. */
export function webhookSecrets({ github, repositories }: WorkerConfig, session: Session): readonly string[] {
  const text = secretReader(session).read(github.webhookSecretEnv, github.webhookSecretFile);
  const secrets = text === undefined ? environmentSecrets(session) : linesOf(text);
  const isNeeded = repositories.some((repository) => !hasOwnSecret(repository));
  if (secrets.length === 0 && isNeeded) {
    throw new Failure('usage', {
      message: 'The webhook secret is not set, so the worker cannot verify that webhooks come from GitHub.',
      where: { input: 'MILLRACE_WEBHOOK_SECRET' },
      hint: 'Set MILLRACE_WEBHOOK_SECRET (or MILLRACE_WEBHOOK_SECRET_FILE) to the secret of the webhook on GitHub.',
    });
  }
  session.mask(secrets);
  return secrets;
}

/**
 * Reads the current secrets of repositories that have their own webhook, by the id of the repository. Masks each in
 * all later output. Throws Failure 'usage' if one is empty, 'config-missing' if a file cannot be read.
 */
export function repositorySecrets(
  config: WorkerConfig,
  session: Session,
): ReadonlyMap<number, readonly string[]> {
  return new Map([...repositorySecretReaders(config, session)].map(([id, read]) => [id, read()]));
}

/**
 * For each repository with its own webhook, by id, the function that reads its secrets. Throws as
 * `repositorySecrets` does.
 */
export function repositorySecretReaders(
  { repositories }: WorkerConfig,
  session: Session,
): ReadonlyMap<number, () => readonly string[]> {
  return new Map(
    repositories
      .filter(hasOwnSecret)
      .map((repository) => [repository.id, () => readOwnSecret(repository, session)] as const),
  );
}

function readOwnSecret(repository: RepositoryPolicy, session: Session): readonly string[] {
  const { name, 'webhook-secret-env': variable, 'webhook-secret-file': file } = repository;
  const secrets = linesOf(secretReader(session).read(variable, file) ?? '');
  const input = variable ?? file ?? '';
  if (secrets.length === 0)
    throw new Failure('usage', {
      message: `The webhook secret of ${name} is empty or not set: ${input}.`,
      where: { input },
      hint: `${variable === undefined ? 'Write into this file' : `Set ${variable} to`} the secret of the webhook of ${name} on GitHub.`,
    });
  session.mask(secrets);
  return secrets;
}

function hasOwnSecret(repository: RepositoryPolicy): boolean {
  return repository['webhook-secret-env'] !== undefined || repository['webhook-secret-file'] !== undefined;
}

/**
 * Resolves the address and the credential of the platform for a credential name of worker.yaml. Masks the secret in
 * all later output. Throws what `resolveCredential` throws.
 */
export function platformAccess(
  { credentials }: WorkerConfig,
  session: Session,
  name: string,
): PlatformAccess {
  const reference = credentials[name];
  if (reference === undefined) throw new Failure('internal', { message: `There is no credential ${name}.` });
  const { env, cwd } = session.io;
  const access = resolveCredential(reference, env, (file) => readTextFileSync(path.resolve(cwd, file), file));
  const secret = secretOf(access.credential);
  if (secret !== undefined) session.mask([secret]);
  return access;
}

/** Reads the current value of the worker's own token. Masks it in all later output. Throws Failure 'config-missing'. */
export function ownToken(session: Session): string | undefined {
  const token = readWorkerToken(session.io.env, textReader(session));
  if (token !== undefined) session.mask([token]);
  return token?.reveal();
}

function environmentSecrets(session: Session): readonly string[] {
  return readWebhookSecrets(session.io.env, textReader(session)).map((secret) => secret.reveal());
}

/** Returns a function that reads files; paths are relative to the current folder. */
export function textReader({ io }: Pick<Session, 'io'>): (file: string) => string {
  return (file) => readTextFileSync(path.resolve(io.cwd, file), file);
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
