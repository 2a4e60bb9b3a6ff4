import { isUtf8 } from 'node:buffer';
import { codingComment } from './coding-comment.ts';
import type { ErrorCode } from '../errors/error-catalogue.ts';
import { Failure } from '../errors/failure.ts';

/** The reason why the bytes of a file are not a text, with the position. Line and column count from 1. */
export interface TextFault {
  /** The end of a sentence such as "The file cannot be read: …", with how to fix it. */
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}

/** The text of a file, or the reason why it is not a text. */
export type DecodedText =
  { readonly text: string; readonly fault?: never } | { readonly text?: never; readonly fault: TextFault };

/**
 * Decodes the bytes of a file as text in UTF-8. All code uses this function. A byte order mark stays in the text.
 * Refuses other encodings and binary files, and what git leaves in place of a file: a Git LFS pointer, a conflict
 * marker.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const content = viewOf(bytes);
  const nul = content.indexOf(0);
  const isText = nul < 0 && isUtf8(content);
  const kind = lfsReason(content) ?? (isText ? undefined : otherKind(content));
  if (kind !== undefined) return { fault: { reason: kind, line: 1, column: 1 } };
  if (!isText) {
    return { fault: nul < 0 || !isUtf8(content.subarray(0, nul)) ? notUtf8(content) : nulAt(content, nul) };
  }
  const text = content.toString('utf8');
  const marker = conflictMarker(content, text);
  if (marker === undefined) return { text };
  const { line } = placeOf(content, Buffer.byteLength(text.slice(0, marker)));
  return {
    fault: { reason: `line ${line} is a conflict marker of git; resolve the conflict`, line, column: 1 },
  };
}

/** Whether the name of a file is UTF-8. In a list of files, U+FFFD replaces all other bytes. */
export function isTextName(path: string): boolean {
  return !path.includes('\uFFFD');
}

/** The text of a file. Throws a Failure, by default 'config-invalid', at the position that is not text. */
export function requireText(bytes: Uint8Array, file: string, code: ErrorCode = 'config-invalid'): string {
  const { text, fault } = decodeText(bytes);
  if (fault === undefined) return text;
  const { reason, line, column } = fault;
  throw new Failure(code, {
    message: `${file} cannot be read: ${reason}.`,
    where: { file, line, column },
    hint: 'Correct the file, or replace it with a text file in UTF-8.',
  });
}

/**
 * Checks the chunks of a file in constant memory. Returns the offset of the first byte that is not UTF-8 as soon as it is
 * known. Call it with `undefined` after the last chunk, because the last letter may be incomplete.
 */
export function utf8Check(): (chunk: Uint8Array | undefined) => number | undefined {
  let checked = 0;
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    if (chunk === undefined) return rest.length > 0 ? checked : undefined;
    const content = rest.length === 0 ? viewOf(chunk) : Buffer.concat([rest, chunk]);
    const whole = content.length - cutLength(content);
    if (!isUtf8(content.subarray(0, whole))) return checked + firstInvalid(content);
    checked += whole;
    rest = Buffer.from(content.subarray(whole));
    return undefined;
  };
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The first line of a Git LFS pointer. */
export const lfsPointer = 'version https://git-lfs';

/** The end of the sentence that says that bytes are a Git LFS pointer; undefined for other bytes. */
export function lfsReason(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, lfsPointer.length)).toString('latin1');
  return head === lfsPointer
    ? 'it is a Git LFS pointer, not the file itself; run `git lfs pull`, or keep the file in git without LFS'
    : undefined;
}

const utf16 = 'it is UTF-16; save it as UTF-8';

/** How files of other kinds begin, and the reason for the message. A longer beginning comes before its own start. */
const beginnings: readonly (readonly [Buffer, string])[] = [
  [Buffer.from([0xff, 0xfe, 0, 0]), 'it is UTF-32; save it as UTF-8'],
  [Buffer.from([0, 0, 0xfe, 0xff]), 'it is UTF-32; save it as UTF-8'],
  [Buffer.from([0xff, 0xfe]), utf16],
  [Buffer.from([0xfe, 0xff]), utf16],
  [Buffer.from([0x1f, 0x8b]), 'it is compressed by gzip; unpack it'],
  [Buffer.from([0x50, 0x4b, 3, 4]), 'it is a ZIP archive, as an Excel file is'],
  [Buffer.from('PAR1'), 'it is a Parquet file'],
];

function notUtf8(content: Buffer): TextFault {
  const offset = firstInvalid(content);
  const named = codingComment(content.toString('latin1', 0, 1_000))?.encoding;
  const comment =
    named === undefined ? '' : `, and write "coding: utf-8" for "coding: ${named}" in its comment`;
  const reason = `byte ${offset + 1} is not UTF-8; save the file as UTF-8${comment}`;
  return { reason, ...placeOf(content, offset) };
}

function nulAt(content: Buffer, offset: number): TextFault {
  return {
    reason: `byte ${offset + 1} is NUL, which a text file cannot contain`,
    ...placeOf(content, offset),
  };
}

function otherKind(content: Buffer): string | undefined {
  const beginning = beginnings.find(([bytes]) => content.subarray(0, bytes.length).equals(bytes));
  return beginning?.[1] ?? (isUnmarkedUtf16(content) ? utf16 : undefined);
}

/** UTF-16 without a byte order mark: most letters are ASCII there, with a NUL before or after each. */
function isUnmarkedUtf16(content: Buffer): boolean {
  const sample = content.subarray(0, 512);
  if (sample.length < 2 || content.length % 2 === 1) return false;
  const nuls = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) nuls[index % 2] = (nuls[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  return Math.min(even, odd) === 0 && Math.max(even, odd) > sample.length / 4;
}

/** The offset of the first byte that is not UTF-8; the content has one. */
function firstInvalid(content: Buffer): number {
  const decoded = Buffer.from(content.toString('utf8'));
  const length = Math.min(decoded.length, content.length);
  let offset = 0;
  while (offset < length && decoded[offset] === content[offset]) offset += 1;
  // A letter that is cut may begin as U+FFFD does, which the decoder puts in its place.
  while (!isUtf8(content.subarray(0, offset))) offset -= 1;
  return offset;
}

/** How many bytes at the end may be the start of a letter. */
function cutLength(content: Buffer): number {
  for (let length = 1; length <= Math.min(3, content.length); length += 1) {
    const byte = content[content.length - length] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return length < lengthOfLetter(byte) ? length : 0;
  }
  return 0;
}

function lengthOfLetter(firstByte: number): number {
  if (firstByte >= 0xf0) return 4;
  return firstByte >= 0xe0 ? 3 : 2;
}

/** Git writes seven of these at the start of a line, then a blank and a name. */
const markers = ['<<<<<<<', '>>>>>>>'] as const;
const markerLine = /(?:^\uFEFF?|[\r\n])(?=(?:<{7}|>{7})(?:[ \r\n]|$))/;

/** The offset of the first conflict marker in the text. */
function conflictMarker(content: Buffer, text: string): number | undefined {
  if (!markers.some((marker) => content.includes(marker))) return undefined;
  const match = markerLine.exec(text);
  return match === null ? undefined : match.index + match[0].length;
}

/** Lines end with LF, CRLF or a lone CR, as in YAML. A byte order mark has no column. */
function placeOf(content: Buffer, offset: number): { readonly line: number; readonly column: number } {
  const lines = content
    .toString('utf8', 0, offset)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
