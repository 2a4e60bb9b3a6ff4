import { type Place, Refusal } from '../core/refusal.ts';
import { type SourceText, startOf } from '../core/source-text.ts';
import type { DialectContext } from '../core/dialect.ts';
import { defaultsAfter, type ScriptStatement, splitScript } from '../dialect/translate.ts';
import { readScriptOf, type ScriptTask } from '../orchestration/components/sql-executor.ts';
import type { Task } from '../orchestration/task/task.ts';

/** A statement of a script. It may be a statement that cannot be read. */
export interface Statement {
  readonly source: SourceText;
  readonly place: Place;
  /** Reads the statement. Throws Refusal and SqlError. */
  read(): ScriptStatement | undefined;
}

/**
 * Splits a script into statements. A statement that cannot be read does not prevent the others from being read.
 * @param prepare changes the text of the script, but not its length
 */
export function statementsOf(
  task: ScriptTask & Pick<Task, 'dialect'>,
  prepare: (text: string) => string = (text) => text,
): readonly Statement[] {
  const written = readScriptOf(task);
  const source = { ...written, text: prepare(written.text) };
  try {
    return splitScript(source, task.dialect).map((statement) => ({
      source: {
        text: statement.text,
        placeOf: (offset) => source.placeOf(statement.offset + offset),
      },
      place: source.placeOf(statement.offset),
      read: () => statement,
    }));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return splitText(source).map((text) => ({
      source: text,
      place: startOf(text),
      read: () => splitScript(text, task.dialect)[0],
    }));
  }
}

/** The default database and schema after a statement. Only a USE changes them. */
export function defaultsAfterUse(
  statement: ScriptStatement,
  before: DialectContext['defaults'],
): DialectContext['defaults'] {
  if (!/^USE\b/i.test(statement.text)) return before;
  return statement.translate(before).reduce((defaults, each) => defaultsAfter(each, defaults), before);
}

/**
 * The places in which a semicolon does not end a statement: texts, quoted names, comments, and text between dollar
 * signs.
 */
const SPAN = /'(?:[^'\\]|\\.|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\/|\$\$[^]*?\$\$|;/gs;

/** Splits a script at its semicolons without reading the statements. */
function splitText(source: SourceText): readonly SourceText[] {
  const ends = [...source.text.matchAll(SPAN)].filter(([span]) => span === ';').map(({ index }) => index);
  const starts = [0, ...ends.map((end) => end + 1)];
  return starts
    .map((start, index) => slice(source, start, ends[index] ?? source.text.length))
    .filter(({ text }) => text.trim() !== '');
}

function slice(source: SourceText, start: number, end: number): SourceText {
  return { text: source.text.slice(start, end), placeOf: (offset) => source.placeOf(start + offset) };
}
