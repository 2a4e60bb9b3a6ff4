import { Failure } from '../model/failure.ts';

/**
 * The version that a tag stands for. `tagGlob` says which tags are releases (`v*`, `finance/v*`); in `pattern`,
 * `{tag}` is the whole tag and `{version}` the part that the last `*` of the glob stands for.
 * Throws Failure 'version-invalid' for a tag that does not fit.
 */
export function versionOfTag(tag: string, tagGlob: string, pattern: string): string {
  const star = tagGlob.lastIndexOf('*');
  const head = star < 0 ? tagGlob : tagGlob.slice(0, star);
  const tail = star < 0 ? '' : tagGlob.slice(star + 1);
  const fits =
    star < 0
      ? tag === tagGlob
      : tag.length > head.length + tail.length && tag.startsWith(head) && tag.endsWith(tail);
  if (!fits) {
    throw new Failure('version-invalid', {
      message: `The tag "${tag}" is no release tag of this project: release.tag is "${tagGlob}".`,
      where: { input: 'tag' },
      mend: 'Push a tag that fits release.tag in millrace.yaml, or give the version itself.',
    });
  }
  const part = tag.slice(head.length, tag.length - tail.length);
  return pattern.replaceAll(/\{(tag|version)\}/g, (_, word: string) => (word === 'tag' ? tag : part));
}
