import { shorten } from '../../../lib/core/text/shorten.ts';
import { oneLine, sanitizeLine } from '../../../lib/core/text/sanitize-text.ts';
import { groupDifferences } from './difference-groups.ts';
import { rowLines } from './row-lines.ts';
import { comparedTexts } from './shown-text.ts';
import type { Difference, TestResult } from '../compare/test-result.ts';

/** The lines that show the differences of a test. Differing rows of one table are shown together. */
export function differenceLines({ differences, file }: TestResult): readonly string[] {
  let hasMocks = false;
  // A test has one `mock`: the lines of further mocks go below it.
  const isNew = (line: string) => {
    const isHead = line === 'mock:';
    const isFurther = isHead && hasMocks;
    hasMocks ||= isHead;
    return !isFurther;
  };
  return groupDifferences(differences).flatMap(({ place, sentence, more, rows }) => [
    `${placeText(place, file)}  ${sentence}${writerText(place)}`,
    ...more.filter(isNew).map((line) => `    ${sanitizeLine(line, ' ').trimEnd()}`),
    ...valueLines(place),
    ...sqlLines(place),
    ...(rows.length === 0 ? [] : rowLines(rows).map((line) => `  ${line}`)),
  ]);
}

function valueLines({ kind, expected, actual }: Difference): readonly string[] {
  if (kind !== 'variable') return [];
  const [left = '', right = ''] = comparedTexts([expected ?? null, actual ?? null]);
  return [`  expected  ${left}`, `  actual    ${right}`];
}

/** Longer SQL is cut in the report for people; `--format json` has more. */
const shownSqlLines = 20;
/** What the engine makes is one long line. */
const shownSqlCharacters = 500;

function sqlLines({ sql }: Difference): readonly string[] {
  const parts = [
    ['SQL as written:', sql?.written],
    ['SQL as the engine ran it:', sql?.ran],
  ] as const;
  return parts.flatMap(([head, text]) => {
    if (text === undefined) return [];
    const lines = text.trim().split('\n');
    const shown = lines.slice(0, shownSqlLines);
    const more = lines.length > shown.length ? ['…'] : [];
    return [
      head,
      ...[...shown, ...more].map(
        (line) => `  ${shorten(sanitizeLine(line, ' ').trimEnd(), shownSqlCharacters)}`,
      ),
    ].map((line) => `  ${line}`);
  });
}

/** In the test file itself, the line is enough: its name is in the head. */
function placeText({ file, line, column }: Difference, testFile: string): string {
  return file === testFile ? `${line}:${column}` : `${oneLine(file)}:${line}:${column}`;
}

function writerText({ kind, component, at, message }: Difference): string {
  if (component === undefined || kind === 'ran' || kind === 'not-ran' || kind === 'refused') return '';
  if (kind === 'outcome' && namesPlaceIn(message, at?.file)) return '';
  const place = at === undefined ? '' : ` (${oneLine(at.file)}:${at.line})`;
  if (kind === 'outcome') return place;
  const writer = `ritten by "${oneLine(component)}"${place}`;
  return message.endsWith('?') ? ` W${writer}` : `; w${writer}`;
}

/** Most messages of components begin with a place in their pipeline. */
function namesPlaceIn(message: string, file: string | undefined): boolean {
  if (file === undefined) return false;
  const [, ...rest] = message.split(`${file}:`);
  return rest.some((text) => /^\d/.test(text));
}
