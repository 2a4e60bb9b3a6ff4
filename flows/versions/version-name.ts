import { Failure } from '../../lib/core/failure.ts';

/**
 * Refuses a version name before anything is sent: it travels in a header (spec §4.3), and `latest` is a literal
 * name that no consumer can select (spec §4.8 rule 1). Throws Failure 'version-invalid'.
 */
export function validateVersionName(version: string): void {
  const fault = faultOf(version);
  if (fault === undefined) return;
  throw new Failure('version-invalid', {
    message: `The version name ${JSON.stringify(version)} ${fault}.`,
    where: { input: 'version' },
  });
}

function faultOf(version: string): string | undefined {
  if (version.trim() === '') return 'is empty';
  if (version !== version.trim()) return 'starts or ends with a blank, which a header loses';
  if (version.length > 255) return 'is longer than 255 characters';
  if (!/^[\x20-\x7e]+$/.test(version)) return 'holds a line break, control character or non-ASCII letter';
  if (version.toLowerCase() === 'latest') {
    return 'is reserved: the platform looks `latest` up literally, and leaving the version out means the newest enabled one (spec §4.8 rule 1)';
  }
  return undefined;
}
