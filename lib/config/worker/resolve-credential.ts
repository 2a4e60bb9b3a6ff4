import { Failure } from '../../core/errors/failure.ts';
import {
  environmentReader,
  type EnvironmentRecord,
  type ReadTextFile,
} from '../environment/environment-reader.ts';
import type { PlatformCredential } from '../environment/platform-credential.ts';
import { Secret } from '../environment/secret.ts';
import type { CredentialReference } from './worker-schema.ts';

/** The platform's address and the credential for it. */
export interface PlatformAccess {
  readonly baseUrl: string;
  readonly credential: PlatformCredential;
}

/**
 * Resolves a credential of worker.yaml from the environment and from files. Throws Failure 'no-base-url', 'no-token'
 * with the name of the unset variable, or 'config-missing' for a file that cannot be read.
 */
export function resolveCredential(
  reference: CredentialReference,
  env: EnvironmentRecord,
  readFile: ReadTextFile,
): PlatformAccess {
  const reader = environmentReader(env, readFile);
  const address = reference.baseUrlEnv ?? 'MILLRACE_BASE_URL';
  const baseUrl = reference.baseUrl?.replace(/\/+$/, '') ?? reader.address(address);
  if (baseUrl === undefined) {
    throw new Failure('no-base-url', {
      message: `The worker has no address of the platform: this credential in worker.yaml has no \`base-url\`, and ${address} is not set.`,
      hint: `Set ${address} for the worker, or write \`base-url\` into this credential in worker.yaml.`,
      where: { input: address },
    });
  }
  const value = (variable: string | undefined, file: string | undefined): Secret => {
    const text = file === undefined ? reader.text(variable ?? '') : fileContent(file, readFile);
    if (text !== undefined && text !== '') return new Secret(text);
    const input = file ?? variable ?? 'credentials';
    throw new Failure('no-token', {
      message: `The worker has no credential for the platform: ${file === undefined ? `the variable ${input}` : `the file ${input}`}, which worker.yaml names, is ${file === undefined ? 'not set' : 'empty'}.`,
      hint: file === undefined ? `Set ${input} for the worker.` : `Write the credential into ${input}.`,
      where: { input },
    });
  };
  const { tokenEnv, tokenFile, tokenUrl, audience } = reference;
  if (tokenUrl === undefined) {
    const token = value(tokenEnv, tokenFile);
    return {
      baseUrl,
      credential: { kind: 'token', token, ...(tokenFile === undefined ? {} : { file: tokenFile }) },
    };
  }
  return {
    baseUrl,
    credential: {
      kind: 'client',
      clientId: value(reference.clientIdEnv, reference.clientIdFile).reveal(),
      clientSecret: value(reference.clientSecretEnv, reference.clientSecretFile),
      tokenUrl,
      ...(audience === undefined ? {} : { audience }),
    },
  };
}

function fileContent(file: string, readFile: ReadTextFile): string {
  try {
    return readFile(file).trim();
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const message = `The file ${file}, which worker.yaml names, cannot be read.`;
    throw new Failure('config-missing', {
      message,
      hint: 'Create the file, give the worker the right to read it, or correct its path in worker.yaml.',
      where: { file },
      cause,
    });
  }
}
