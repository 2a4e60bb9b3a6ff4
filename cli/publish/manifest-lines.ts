import type { ManifestEntry } from '../../flows/project/project-files.ts';
import type { IgnoredResource } from '../../flows/publish/publish.ts';

/** The files of an artifact with the start of their digest and their size in bytes, then what the platform ignored. */
export function manifestLines(
  files: readonly ManifestEntry[],
  ignored: readonly IgnoredResource[],
): string[] {
  return [
    ...files.map(
      ({ path, bytes, sha256 }) => `  ${sha256.slice(0, 12)} ${String(bytes).padStart(8)} ${path}`,
    ),
    ...ignored.map(({ name, reason }) => `  ignored by the platform: ${name}: ${reason}`),
  ];
}
