import { codePointEscape, invisibleCharacter, visibleText } from './visible-text.ts';

/** Cyrillic and Greek letters that have the shape of a Latin letter, each before the Latin letter. */
const twins = 'аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoνvιi';
const latinTwin: ReadonlyMap<string, string> = new Map(
  Array.from({ length: twins.length / 2 }, (_, index) => [
    twins[2 * index] ?? '',
    twins[2 * index + 1] ?? '',
  ]),
);

const invisible = new RegExp(invisibleCharacter, 'gu');

/**
 * How a name looks to a reader, as a text in lower case. Two names have the same look if they differ only in the
 * form of an accented letter, in invisible characters such as spaces at the ends, or in letters of other alphabets
 * that look like Latin letters.
 */
export function lookOf(name: string): string {
  if (/^[ -~]*$/.test(name)) return name.trim().toLowerCase();
  const plain = name.normalize('NFKC').replaceAll(invisible, '');
  return Array.from(plain, (letter) => latinTwin.get(letter) ?? letter)
    .join('')
    .trim()
    .toLowerCase();
}

/** Whether two names are different but look the same. Upper and lower case look different. */
export function onlyLooksLike(a: string, b: string): boolean {
  return a.toLowerCase() !== b.toLowerCase() && lookOf(a) === lookOf(b);
}

/** A name in which every character that is not ASCII is written as an escape. */
export function escapedName(name: string): string {
  return name.replaceAll(/[^ -~]/gu, codePointEscape);
}

/**
 * Suggests the existing name `closest` in place of a name that does not exist, as a clause of a sentence: the question
 * `did you mean "load"?`, or `there is "…", which only looks like "…"` if a reader cannot see the difference.
 */
export function didYouMean(name: string, closest: string): string {
  return onlyLooksLike(name, closest)
    ? `there is "${escapedName(closest)}", which only looks like "${escapedName(name)}"`
    : `did you mean "${visibleText(closest)}"?`;
}

/** The suggestion as a sentence with a leading space, such as ` Did you mean "load"?`. Empty if no existing name is similar. */
export function hintAt(name: string, closest: string | undefined): string {
  if (closest === undefined) return '';
  const clause = didYouMean(name, closest);
  return ` ${clause[0]?.toUpperCase() ?? ''}${clause.slice(1)}${clause.endsWith('?') ? '' : '.'}`;
}

/** Returns a function that writes names for one report: a name that looks like another one gets escapes. */
export function shownNames(names: Iterable<string>): (name: string) => string {
  const looks = Map.groupBy(new Set(names), lookOf);
  return (name) =>
    looks.get(lookOf(name))?.some((other) => onlyLooksLike(name, other)) === true
      ? escapedName(name)
      : visibleText(name);
}
