import { Failure } from '../../lib/core/errors/failure.ts';

/**
 * Validates a version name before it is sent. It becomes a header value (spec §4.3), and nobody could select a
 * version with the literal name `latest` (spec §4.8 rule 1). Throws Failure 'version-invalid'.
 */
export function validateVersionName(version: string): void {
  const problem = problemOf(version);
  if (problem === undefined) return;
  throw new Failure('version-invalid', {
    message: `The version name ${JSON.stringify(version)} ${problem}.`,
    where: { input: 'version' },
  });
}

function problemOf(version: string): string | undefined {
  if (version.trim() === '') return 'is empty';
  if (version !== version.trim())
    return 'starts or ends with a space, and HTTP drops such spaces from the header that carries the version';
  if (version.length > 255) return 'is longer than 255 characters';
  if (!/^[\x20-\x7e]+$/.test(version))
    return 'contains a line break, control character or non-ASCII character';
  if (version.toLowerCase() === 'latest') {
    return 'is reserved: the platform looks for a version literally named `latest`. To use the newest enabled version, omit the version (spec §4.8 rule 1)';
  }
  return undefined;
}
