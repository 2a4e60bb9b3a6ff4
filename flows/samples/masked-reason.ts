import { type FailedComponent, isMissingMock, linesOfMock } from '../../engine/index.ts';
import { wordsOf } from '../data-graph/texts/mentioned-tables.ts';
import { oneLine } from '../../lib/core/text/sanitize-text.ts';

/** Whether a name occurs in files of the project, so that it does not come from rows. */
export type IsKnown = (name: string) => boolean;

/**
 * Returns a function that tells which names occur in given texts. A name of several words is known if all its words
 * are.
 */
export function knownNames(texts: Iterable<string>, names: Iterable<string>): IsKnown {
  let words: Set<string> | undefined;
  const exact = new Set(Array.from(names, (name) => name.toLowerCase()));
  return (name) => {
    if (exact.has(name.toLowerCase())) return true;
    words ??= new Set(Array.from(texts).flatMap(wordsOf));
    const parts = wordsOf(name);
    return (
      parts.length > 0 &&
      parts.every((part) => words?.has(part) === true) &&
      wordsOf(name).join('').length > 0
    );
  };
}

/** The text shown instead of a name that may come from rows. */
export const hiddenName = '(a name from rows)';

const types =
  /^(?:NUMBER|DECIMAL|VARCHAR|FLOAT|SMALLINT|INTEGER|BIGINT|BOOLEAN|DATE|TIME|TIMESTAMP(?:_TZ|_LTZ)?|BINARY|VARIANT|SUPER)(?:\(\d+(?:,\d+)?\))?$/;
const kinds = /^(?:whole number|number|date|timestamp|time|boolean|binary)$/;

type Rule = readonly [pattern: RegExp, reason: (groups: Groups, isKnown: IsKnown) => string];
type Groups = Readonly<Record<string, string | undefined>>;

const named = (name: string | undefined, isKnown: IsKnown) =>
  name === undefined || !isKnown(name) ? hiddenName : `"${name}"`;
const typed = (type: string | undefined) => (type !== undefined && types.test(type) ? type : 'its type');

/** Messages of the engine, with only those parts that cannot be a value. All others are hidden. */
const rules: readonly Rule[] = [
  [
    /^(?:the )?(?:table|view) (?:"[^"]*"\.)*"?(?<table>[^"\s]+?)"? (?:was )?not found/,
    ({ table }, isKnown) =>
      `the table ${named(table?.split('.').at(-1), isKnown)} does not exist: give a sample of it`,
  ],
  [
    /^the table (?:"[^"]*"\.)*"(?<table>[^"]+)" was not found/,
    ({ table }, isKnown) => `the table ${named(table, isKnown)} does not exist: give a sample of it`,
  ],
  [
    /^(?:the )?column "(?<column>[^"]*)" (?:was )?not found/,
    ({ column }, isKnown) => `the column ${named(column, isKnown)} does not exist`,
  ],
  [
    /^the table .* has no column "(?<column>[^"]*)"/,
    ({ column }, isKnown) => `the column ${named(column, isKnown)} does not exist`,
  ],
  [
    /^the text '.*' is not a (?<kind>[a-z ]+?)(?::.*)?$/s,
    ({ kind = '' }) => `a text is not a ${kinds.test(kind) ? kind : 'value of its type'}`,
  ],
  [
    /^the text '.*' is out of range of (?<type>\S+)/s,
    ({ type }) => `a text is out of range of ${typed(type)}`,
  ],
  [
    /^the number .* is out of range of (?<type>[^\s:]+)/s,
    ({ type }) => `a number is out of range of ${typed(type)}`,
  ],
  [/^overflow: the (?:result of|sum)/, () => 'overflow: a result has too many digits'],
  [
    /^Millrace does not support a statement that needs more than (?<size>\d+[KMGT]B) of memory;/,
    ({ size = '' }) => `a statement needs more memory than ${size}: give more with --memory`,
  ],
  [
    /^a text is longer than VARCHAR\((?<length>\d+)\) allows: column (?<column>.+) of the table /s,
    ({ length = '', column }, isKnown) =>
      `a text is longer than VARCHAR(${length}) allows: column ${named(column?.replaceAll('"', ''), isKnown)}`,
  ],
  [
    /^NULL is not allowed: the column "(?<column>[^"]*)"/,
    ({ column }, isKnown) => `NULL is not allowed: column ${named(column, isKnown)}`,
  ],
  [/^[Dd]ivision by zero/, () => 'division by zero'],
  [
    /^the branch ended in this end-failure component$/,
    () => 'the branch ended in this end-failure component',
  ],
];

/** The reason why a component failed, without values of rows. */
export function maskedReason({ message, place, refusal }: FailedComponent, isKnown: IsKnown): string {
  if (refusal !== undefined && isMissingMock(refusal)) {
    const type = /^the component type ([\w-]+)$/.exec(refusal.construct)?.[1];
    const what = type === undefined || !isKnown(type) ? 'it' : `a component of the type ${type}`;
    const target = /^ +tables:\n +"?([^"\n]+?)"?:/m.exec(linesOfMock(refusal) ?? '')?.[1];
    const isNamed = target?.split('.').every((part) => isKnown(part)) === true;
    return `${what} reaches outside of the warehouse${isNamed ? `: give a sample of ${target}` : ''}`;
  }
  const where = place === undefined ? '' : `${place.file}:${place.line}:${place.column}: `;
  const text = message.startsWith(where) ? message.slice(where.length) : message;
  for (const [pattern, reason] of rules) {
    const match = pattern.exec(text);
    if (match !== null) return oneLine(reason(match.groups ?? {}, isKnown));
  }
  return 'the message may have values of rows, so it is not shown; --rows 1 shows it';
}
