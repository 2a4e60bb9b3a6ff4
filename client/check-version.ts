import { VersionInvalid } from './errors.ts';

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f-\u009f]/u;

/**
 * Refuses a version name that cannot mean what its writer means: one with a control character anywhere, and
 * `latest` where spec §4.8 rule 1 applies (the shared pipeline artifacts), also in the spelling of the consumers'
 * selector, `[Latest]`.
 *
 * @throws {VersionInvalid}
 */
export function checkVersion(operation: string, version: unknown): void {
  if (typeof version !== 'string') return;
  const field = 'versionName';
  if (control.test(version)) {
    throw new VersionInvalid({
      operation,
      field,
      reason: 'it holds a line break or another control character',
    });
  }
  if (operation.startsWith('sharedArtifacts.') && (version === 'latest' || version === '[Latest]')) {
    throw new VersionInvalid({
      operation,
      field,
      reason:
        `“${version}” is looked up as a version literally named that and yields 404 (spec §4.8 rule 1); ` +
        'leave versionName out to get the latest enabled version',
    });
  }
}
