import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../core/values/canonical-json.ts';
import { commitIdPattern } from '../core/values/commit-id.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

const fileSchema = z.strictObject({
  path: z.string().min(1),
  bytes: z.int().nonnegative(),
  sha256,
  mode: z
    .string()
    .regex(/^[0-7]{6}$/u)
    .optional(),
  gitBlob: z.string().regex(commitIdPattern).optional(),
});

/** The schema of a manifest's list of files. */
export const manifestSchema = z.strictObject({
  directory: z.string(),
  files: z.array(fileSchema).min(1),
});

/** One file that was sent. */
export interface ManifestFile {
  /** Relative to the folder of the project. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Git’s mode and the id of its blob; undefined for a file that is not from git, such as a connector. */
  readonly mode?: string | undefined;
  readonly gitBlob?: string | undefined;
}

/** The files that were sent to the platform as one version. */
export interface Manifest {
  /** The folder of the project in the repository; `''` for its root. */
  readonly directory: string;
  readonly files: readonly ManifestFile[];
}

/** A file in the tree of a commit. */
export interface TreeFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly mode: string;
  /** The id of its blob. */
  readonly oid: string;
}

/** SHA-256 of the canonical JSON of a manifest, in hexadecimal. */
export function manifestDigest({ directory, files }: Manifest): string {
  const listed = files.map(({ path, bytes, sha256: digest, mode, gitBlob }) => ({
    path,
    bytes,
    sha256: digest,
    mode,
    gitBlob,
  }));
  return createHash('sha256')
    .update(canonicalJson({ directory, files: listed }))
    .digest('hex');
}

/**
 * The first difference between a manifest and the tree of its commit; undefined if the commit has every file from
 * git with the same blob and mode. Nothing is downloaded, because the id of a blob is the digest of its content.
 */
export function compareWithTree(
  { directory, files }: Manifest,
  tree: readonly TreeFile[],
): string | undefined {
  const byPath = new Map(tree.map((file) => [file.path, file]));
  const seen = new Set<string>();
  for (const { path, mode, gitBlob } of files) {
    if (seen.has(path)) return `lists ${path} twice`;
    seen.add(path);
    if (gitBlob === undefined) continue;
    const file = byPath.get(directory === '' ? path : `${directory}/${path}`);
    if (file === undefined) return `lists ${path}, which the commit does not have`;
    if (file.oid !== gitBlob) return `lists ${path} with another content than the commit`;
    if (file.mode !== mode)
      return `lists ${path} with the mode ${mode ?? 'unknown'}, and the commit has ${file.mode}`;
  }
  return undefined;
}
