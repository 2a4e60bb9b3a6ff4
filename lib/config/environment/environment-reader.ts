import { Failure } from '../../core/errors/failure.ts';
import { Secret } from './secret.ts';

export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** Reads a small text file. It may throw, with a Failure for a file that is not text. */
export type ReadTextFile = (path: string) => string;

export interface EnvironmentReader {
  /** A plain value, trimmed; an empty value counts as not set. */
  text(name: string): string | undefined;
  /** An http or https address without credentials. Throws Failure 'usage' with the name of the variable. */
  address(name: string): string | undefined;
  /** A secret from `NAME`, or from the file in `NAME_FILE`. Throws Failure 'usage' if both are set. */
  secret(name: string): SecretSetting | undefined;
}

export interface SecretSetting {
  readonly secret: Secret;
  /** The file of the secret, so that it can be read again after a rotation. */
  readonly file?: string;
}

/** Reads variables from a record, and files with `readFile`. No message contains a value. */
export function environmentReader(env: EnvironmentRecord, readFile: ReadTextFile): EnvironmentReader {
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };

  const fromFile = (name: string, file: string): string => {
    try {
      return readFile(file).trim();
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      throw new Failure('config-missing', {
        message: `The file that ${name} names cannot be read.`,
        hint: `Correct the path in ${name}, or make the file readable.`,
        where: { input: name },
        cause,
      });
    }
  };

  return {
    text,
    address(name) {
      const value = text(name);
      return value === undefined ? undefined : checkedAddress(name, value);
    },
    secret(name) {
      const fileName = `${name}_FILE`;
      const [value, file] = [text(name), text(fileName)];
      if (value !== undefined && file !== undefined) {
        throw new Failure('usage', {
          message: `${name} and ${fileName} are both set.`,
          where: { input: name },
          hint: `Remove one of the two from the environment.`,
        });
      }
      if (file === undefined) return value === undefined ? undefined : { secret: new Secret(value) };
      const content = fromFile(fileName, file);
      if (content === '') {
        throw new Failure('config-missing', {
          message: `The file that ${fileName} names is empty.`,
          hint: `Write the value into that file, or set ${name} in its place.`,
          where: { input: fileName },
        });
      }
      return { secret: new Secret(content), file };
    },
  };
}

/**
 * Validates an http or https address without user and password. Throws Failure 'usage', which never repeats the
 * text.
 */
export function checkedAddress(name: string, value: string): string {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const fault =
    parsed === undefined || !/^https?:$/.test(parsed.protocol)
      ? 'is not an http or https address'
      : parsed.username + parsed.password === ''
        ? undefined
        : 'contains a user or a password; remove it from the address';
  if (fault === undefined) return value.replace(/\/+$/, '');
  throw new Failure('usage', {
    message: `${name} ${fault}.`,
    where: { input: name },
    hint: `Set ${name} to an address that begins with https:// or http://.`,
  });
}
