import type { LongWork } from '../../lib/core/ports/long-work.ts';
import type { YamlScalar } from '../../lib/yaml/yaml-node.ts';

const quote = 34;
const comma = 44;
const lineFeed = 10;
const carriageReturn = 13;

/** Called for each record with the offsets of its fields. The list is reused for the next record. */
type OnRecord = (starts: readonly number[]) => void;

type Problem = (offset: number, message: string) => Error;

/** The number of characters to read between two pauses. */
const charactersOfPart = 32 * 1024;

/** Finds the records of a CSV text. For the first mistake in the text, throws the error that `problem` creates. */
export function* findRecords(text: string, onRecord: OnRecord, problem: Problem): LongWork<undefined> {
  let starts: number[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let pause = charactersOfPart;
  let columns = 0;
  let emptyLine: number | undefined;
  while (at < text.length) {
    if (at >= pause) {
      yield;
      pause = at + charactersOfPart;
    }
    // A line without any field, such as one at the end of the file.
    const end = starts.length === 0 ? lineEnd(text, at) : 0;
    if (end > 0) {
      if (columns === 1) emptyLine ??= at;
      at += end;
      continue;
    }
    if (emptyLine !== undefined) throw problem(emptyLine, emptyLineMessage);
    starts.push(at);
    at = text.charCodeAt(at) === quote ? endOfQuoted(text, at, problem) : endOfPlain(text, at, problem);
    if (text.charCodeAt(at) === comma) {
      at += 1;
      if (at < text.length && lineEnd(text, at) === 0) continue;
      starts.push(at);
    } else if (at < text.length && lineEnd(text, at) === 0) {
      if (text.charCodeAt(at) === carriageReturn) throw loneReturn(text, at, problem);
      throw problem(at, 'expected a comma or the end of the line after the closing quote');
    }
    at += lineEnd(text, at);
    onRecord(starts);
    columns ||= starts.length;
    starts = [];
  }
  return undefined;
}

const emptyLineMessage =
  'there is an empty line, and the file has only one column, so the line may mean a row with null: remove the line, write "" if you mean an empty text, or write the rows in YAML or JSON';

/** The value of the field that begins at an offset found by `findRecords`. An empty field without quotes is null. */
export function fieldAt(text: string, start: number): YamlScalar {
  if (text.charCodeAt(start) === quote) {
    const end = endOfQuoted(text, start, alreadyRead);
    const inner = text.slice(start + 1, end - 1).replaceAll('""', '"');
    return { kind: 'scalar', value: inner, text: inner, start, end };
  }
  const end = endOfPlain(text, start, alreadyRead);
  const written = text.slice(start, end);
  return { kind: 'scalar', value: plainValue(written), text: written, start, end };
}

function alreadyRead(offset: number, message: string): Error {
  return new Error(`the CSV text has changed at ${offset}: ${message}`);
}

function endOfPlain(text: string, start: number, problem: Problem): number {
  let end = start;
  for (; end < text.length; end += 1) {
    const unit = text.charCodeAt(end);
    if (unit === comma || lineEnd(text, end) > 0) break;
    if (unit === carriageReturn) throw loneReturn(text, end, problem);
    if (unit === quote)
      throw problem(
        end,
        'this field contains a quote, but does not start with one: put the whole field in quotes, and double each quote inside it',
      );
  }
  return end;
}

function endOfQuoted(text: string, start: number, problem: Problem): number {
  let at = start + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0)
      throw problem(
        start,
        'this field starts with a quote, but has no closing quote: add it at the end of the field',
      );
    if (text.charCodeAt(end + 1) !== quote) return end + 1;
    at = end + 2;
  }
}

/** A number keeps its spelling in `text`. A number with a leading zero, such as a postal code, is a text. */
function plainValue(written: string): YamlScalar['value'] {
  if (written === '') return null;
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(written)) return Number(written);
  if (/^(?:true|false)$/i.test(written)) return written.toLowerCase() === 'true';
  return written;
}

function lineEnd(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit === lineFeed) return 1;
  return unit === carriageReturn && text.charCodeAt(at + 1) === lineFeed ? 2 : 0;
}

/** A CR outside of quotes is neither a line end nor a part of a value: other programs read it in both ways. */
function loneReturn(text: string, at: number, problem: Problem): Error {
  const message = text.includes('\n')
    ? 'there is a CR without an LF: end each line with LF or CRLF, and put a value that contains a CR in quotes'
    : 'the lines of the file end with CR: save the file with LF or CRLF as its line ends';
  return problem(at, message);
}
