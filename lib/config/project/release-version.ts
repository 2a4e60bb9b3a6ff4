import { compileGlob } from '../../core/files/glob.ts';

const placeholderNames = ['tag', '*', 'commit', 'short-commit'] as const;

/** The `{…}` placeholders in a version pattern, each with whether it is known. */
export function placeholders(pattern: string): { readonly name: string; readonly isKnown: boolean }[] {
  return Array.from(pattern.matchAll(/\{([^}]*)\}/g), ([, name = '']) => ({
    name,
    isKnown: placeholderNames.some((word) => word === name),
  }));
}

/**
 * The tag of a version, if `release` derives the version from the whole tag or from the part that matches the star.
 * Undefined if the tag cannot be derived.
 */
export function releaseTag(
  release: { readonly tag: string; readonly version: string },
  version: string,
): string | undefined {
  const tag =
    release.version === '{tag}'
      ? version
      : release.version === '{*}' && release.tag.split('*').length === 2
        ? release.tag.replace('*', () => version)
        : undefined;
  return tag !== undefined && releaseVersion(release, tag, '') === version ? tag : undefined;
}

/**
 * The version name for a tag. `{tag}` is the whole tag; `{*}` is the part that matches the first star of the tag
 * pattern (`1.4.0` in `finance/v1.4.0` for the pattern `finance/v*`); `{commit}` and `{short-commit}` are the
 * commit. Undefined if the tag does not match the pattern, so that it is not a release.
 */
export function releaseVersion(
  release: { readonly tag: string; readonly version: string },
  tag: string,
  commit: string,
): string | undefined {
  if (!compileGlob(release.tag)(tag)) return undefined;
  const star = release.tag.indexOf('*');
  const [before, after] = star < 0 ? [tag, ''] : [release.tag.slice(0, star), release.tag.slice(star + 1)];
  const plain = tag.startsWith(before) && tag.endsWith(after) && tag.length >= before.length + after.length;
  const values: Record<string, string> = {
    tag,
    '*': plain ? tag.slice(before.length, tag.length - after.length) : tag,
    commit,
    'short-commit': commit.slice(0, 12),
  };
  return release.version.replace(/\{([^}]*)\}/g, (whole, name: string) => values[name] ?? whole);
}
