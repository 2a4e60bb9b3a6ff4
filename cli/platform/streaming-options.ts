import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { AllowedSource, SecretPlace } from '../../platform/index.ts';

/**
 * Parses a value of `--allow-source`, `host:port=secret`, and adds it to the earlier values. Throws
 * InvalidArgumentError.
 */
export function parseAllowedSource(
  value: string,
  before: readonly AllowedSource[] = [],
): readonly AllowedSource[] {
  const [, host = '', port = '', secret] = /^\[?([^\]=]+?)\]?:(\d{1,5})=(.+)$/.exec(value) ?? [];
  if (secret === undefined || Number(port) < 1 || Number(port) > 65_535) {
    throw new InvalidArgumentError(
      'Give the server and the name of the secret with its password, such as `db.example.com:5432=reader`.',
    );
  }
  return [...before, { host, port: Number(port), secret }];
}

/**
 * Parses a value of `--secret`, `name=env:VARIABLE` or `name=file:PATH`, and adds it to the earlier values. Throws
 * InvalidArgumentError.
 */
export function parseSecret(value: string, before: readonly SecretPlace[] = []): readonly SecretPlace[] {
  const [, name = '', kind, place = ''] = /^([^=]+)=(env|file):(.+)$/.exec(value) ?? [];
  if (kind === undefined) {
    throw new InvalidArgumentError(
      'Say where the value is, such as `reader=env:READER_PASSWORD` or `reader=file:/run/secrets/reader`. Never give the value itself: other programs on this machine can read arguments.',
    );
  }
  return [...before, kind === 'env' ? { name, environmentVariable: place } : { name, file: place }];
}

/** Reads the secrets of `--secret`. Paths of files are relative to the current folder. */
export function secretsIn(secrets: readonly SecretPlace[], folder: string): readonly SecretPlace[] {
  return secrets.map((secret) =>
    secret.file === undefined ? secret : { ...secret, file: path.resolve(folder, secret.file) },
  );
}
