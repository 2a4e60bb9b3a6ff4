import { variableName } from './variable-name.ts';

/** Matches `${…}` with an expression that contains no braces. */
export const expressionUse = /\$\{([^{}]{1,2000})\}/gu;

/** Names that an expression of JavaScript has without a variable, and words that make its meaning another one. */
const globals = new Set(
  (
    'sysvar Date Math String Number Boolean Array Object JSON RegExp Intl Map Set Symbol BigInt parseInt parseFloat isNaN isFinite ' +
    'encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape console globalThis NaN Infinity undefined null true ' +
    'false new typeof instanceof in void this'
  ).split(' '),
);

/** Methods that only a text, a number or a list has: what is before them is a value. */
const methods = new Set(
  (
    'at charAt charCodeAt concat endsWith includes indexOf join lastIndexOf localeCompare match padEnd padStart repeat replace ' +
    'replaceAll search slice split startsWith substr substring toFixed toLowerCase toString toUpperCase trim trimEnd trimStart'
  ).split(' '),
);

const wholeName = new RegExp(String.raw`^\s*(${variableName})\s*$`, 'u');
const token = new RegExp(
  String.raw`\s+|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\d+(?:\.\d+)?(?![\p{L}\p{N}_$])|(?<word>${variableName})|[-+*%<>=!?:.,()[\]&|]`,
  'uy',
);

/**
 * The variables that an expression `${…}` certainly reads: names that can mean nothing else. Empty for an
 * expression with other parts than names, texts, numbers and operators, such as a function. A name before a dot is
 * an object of the platform, unless a text method follows.
 */
export function expressionNames(expression: string): readonly string[] {
  const [, only] = wholeName.exec(expression) ?? [];
  if (only !== undefined) return [only];
  if (expression.includes('=>')) return [];
  const words: { readonly text: string; readonly isWord: boolean }[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < expression.length) {
    const found = token.exec(expression);
    if (found === null) return [];
    const { word } = found.groups ?? {};
    if (found[0].trim() !== '') words.push({ text: found[0], isWord: word !== undefined });
  }
  return words.flatMap(({ text, isWord }, index) => {
    const [before, after, method, call] = [-1, 1, 2, 3].map((offset) => words[index + offset]?.text);
    if (!isWord || globals.has(text) || before === '.' || after === '(') return [];
    if (after === '.' && !(methods.has(method ?? '') && call === '(')) return [];
    return text;
  });
}
