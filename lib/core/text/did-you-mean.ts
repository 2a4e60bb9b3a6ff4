import { closestWord } from './closest-word.ts';
import { didYouMean, hintAt } from './look-alike.ts';

/**
 * The question about a name that does not exist, with the closest existing name: `did you mean "load"?`. Undefined if no
 * name is close. Every message about an unknown name asks in this form.
 */
export function meantQuestion(name: string, names: Iterable<string>): string | undefined {
  const closest = closestWord(name, names);
  return closest === undefined ? undefined : didYouMean(name, closest);
}

/** `meantQuestion` as the end of a sentence, after a semicolon. Empty if no name is close. */
export function meantClause(name: string, names: Iterable<string>): string {
  const question = meantQuestion(name, names);
  return question === undefined ? '' : `; ${question}`;
}

/** `meantQuestion` as a sentence after a blank: ` Did you mean "load"?`. Empty if no name is close. */
export function meantSentence(name: string, names: Iterable<string>): string {
  return hintAt(name, closestWord(name, names));
}

/** A hint that begins with `meantSentence` if a name is close. */
export function meantHint(name: string, names: Iterable<string>, hint: string): string {
  return `${meantSentence(name, names)} ${hint}`.trimStart();
}
