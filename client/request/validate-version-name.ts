import { VersionInvalid } from '../errors/errors.ts';

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f]/u;

/**
 * Rejects a version name with a control character and, for the shared pipeline artifacts (spec §4.8 rule 1), `latest`
 * and `[Latest]`, the spelling of the consumers' selector.
 *
 * @throws {VersionInvalid}
 */
export function validateVersionName(operation: string, version: unknown): void {
  if (typeof version !== 'string') return;
  const field = 'versionName';
  if (control.test(version)) {
    throw new VersionInvalid({
      operation,
      field,
      reason: 'it contains a line break or another control character',
    });
  }
  if (operation.startsWith('sharedArtifacts.') && (version === 'latest' || version === '[Latest]')) {
    throw new VersionInvalid({
      operation,
      field,
      reason:
        `the platform looks for a version with the literal name “${version}” and answers 404 (spec §4.8 rule 1); ` +
        'omit versionName to get the latest enabled version',
    });
  }
}
