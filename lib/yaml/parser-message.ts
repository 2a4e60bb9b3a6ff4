/** Messages of the parser that are meant for programmers, and what a person reads instead. `$1` is a group of the pattern. */
const ownMessages: readonly (readonly [theirs: RegExp, replacement: string])[] = [
  [/^Tabs are not allowed as indentation$/, 'Tabs are not allowed as indentation: use spaces'],
  [
    /^All (?:mapping|sequence) items must start at the same column$/,
    'The keys of a map, or the items of a list, must begin in the same column: check the indentation',
  ],
  [
    /^A block sequence may not be used as an implicit map key$/,
    'An item of a list cannot be here, among the keys of a map: check the indentation and the dash',
  ],
  [
    /^Implicit (?:keys need to be on a single line|map keys need to be followed by map values)$/,
    'A key must be followed by a colon and a space, on the same line',
  ],
  [
    /^Nested mappings are not allowed in compact mappings$/,
    'A text with a colon must be in quotation marks; if it has none, the next line is indented too far',
  ],
  [/^Flow map in block collection must .* end with a \}$/, 'A "}" is missing before this place'],
  [/^Flow sequence in block collection must .* end with a \]$/, 'A "]" is missing before this place'],
  [
    /^Block collections are not allowed within flow collections$/,
    'A comma is missing between two entries in braces or brackets',
  ],
  [
    /^Unexpected scalar at node end$/,
    'Unexpected text after the end of a value: check the indentation, and double a quotation mark in a quoted text',
  ],
  [/^Unexpected flow-map-end token .*$/, 'This "}" has no "{"'],
  [/^Unexpected flow-seq-end token .*$/, 'This "]" has no "["'],
  [
    /^Plain value cannot start with (?:reserved|directive indicator) character (.)$/,
    'A text that begins with $1 must be in quotation marks',
  ],
  [/^Maximum call stack size exceeded$/, 'The values are nested too many levels deep'],
  [/^Missing closing (['"])quote$/, 'The closing quotation mark $1 is missing'],
];

/** Replacements by the parser's code, for every message with this code. */
const messagesOfCodes: ReadonlyMap<string, string> = new Map([
  ['MULTIPLE_DOCS', 'A second document begins here; a file must contain only one'],
  ['RESOURCE_EXHAUSTION', 'The values are nested too many levels deep'],
]);

/** A message for people about an error of the parser. */
export function parserMessage(code: string, message: string): string {
  const byCode = messagesOfCodes.get(code);
  if (byCode !== undefined) return byCode;
  const [theirs, replacement = ''] = ownMessages.find(([pattern]) => pattern.test(message)) ?? [];
  return theirs === undefined ? message : message.replace(theirs, replacement);
}

/** Tags that only say what a value is. */
const coreTags = /tag:yaml\.org,2002:(?:str|int|float|bool|null|seq|map)$/;

/** A message for people about a tag that the parser could not resolve, made from the tag and the parser's message. */
export function tagMessage(tag: string, message: string): string {
  return coreTags.test(message)
    ? `The tag ${tag} does not fit its value: remove the tag, or correct the value`
    : `The tag ${tag} would change what its value is: remove it, because YAML 1.2 reads values without it`;
}
