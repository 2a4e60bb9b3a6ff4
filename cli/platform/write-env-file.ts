import { Failure } from '../../lib/core/errors/failure.ts';
import { writeFileAtomically } from '../kit/write-file-atomically.ts';

/**
 * Writes variables as `NAME=value` lines that `sh`, `set -a` and `node --env-file` read as the same values. Only the owner
 * can read the file: it contains a token. The file is complete or absent, even on a full disk.
 * Throws Failure 'usage' for a value that no such line can contain; rejects with the file system's error.
 */
export async function writeEnvFile(
  file: string,
  variables: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  const lines = variables.map(([name, value]) => `${name}=${quoted(name, value)}\n`);
  await writeFileAtomically(file, lines.join(''), { mode: 0o600 });
}

/**
 * A value in the quotes that a shell and Node read in the same way. In single quotes both take every character as it is. In
 * double quotes a shell replaces `$`, `` ` `` and `\`, and Node replaces `\n`.
 */
function quoted(name: string, value: string): string {
  if (/^[\w./:@%+,-]*$/.test(value)) return value;
  if (/^[^'\p{Cc}]*$/u.test(value)) return `'${value}'`;
  if (/^[^"$`\\\p{Cc}]*$/u.test(value)) return `"${value}"`;
  throw new Failure('usage', {
    message: `The value of ${name} cannot be written to a file that a shell and Node read in the same way: it has a line end, another control character, or a single quote beside one of " $ \` \\.`,
    where: { input: '--write-env' },
    hint: 'Change the value in the seed, or leave --write-env out and copy the value from the output.',
  });
}
