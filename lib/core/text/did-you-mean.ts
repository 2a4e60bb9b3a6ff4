import { closestWord } from './closest-word.ts';
import { didYouMean, hintAt } from './look-alike.ts';

/**
 * Suggests the most similar existing name in place of a name that does not exist: `did you mean "load"?`. Undefined if no
 * existing name is similar. Every message about an unknown name uses this suggestion.
 */
export function meantQuestion(name: string, names: Iterable<string>): string | undefined {
  const closest = closestWord(name, names);
  return closest === undefined ? undefined : didYouMean(name, closest);
}

/** The suggestion as the end of a sentence, such as `; did you mean "load"?`. Empty if no existing name is similar. */
export function meantClause(name: string, names: Iterable<string>): string {
  const question = meantQuestion(name, names);
  return question === undefined ? '' : `; ${question}`;
}

/** The suggestion as a sentence with a leading space, such as ` Did you mean "load"?`. Empty if no existing name is similar. */
export function meantSentence(name: string, names: Iterable<string>): string {
  return hintAt(name, closestWord(name, names));
}

/** The hint, after the suggestion as a sentence if an existing name is similar. */
export function meantHint(name: string, names: Iterable<string>, hint: string): string {
  return `${meantSentence(name, names)} ${hint}`.trimStart();
}
