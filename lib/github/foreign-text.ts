import { oneLine } from '../core/sanitize-text.ts';

/**
 * Foreign text (component names, messages of the platform, branch names) on its way to GitHub. None of it may start
 * a workflow command, mention a user, open a link, break out of a table, or send an escape to a terminal.
 */

/** Between two characters: seen by nobody, but no pattern of GitHub's goes across it. */
const gap = '\u200B';

/** A line for the log: GitHub's runner looks for `::` at the start of a line and for `##[` anywhere. */
export function logLine(text: string): string {
  return oneLine(text).replaceAll('##[', `##${gap}[`).replace(/^::/u, `${gap}::`);
}

/** Text that is broken off with `…` so that it has at most `limit` characters (UTF-16 units). */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Half of a pair would become a replacement character.
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** The same for a limit of bytes in UTF-8. */
export function shortenBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  // As a stream, a sign that was cut through is left out.
  return `${new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, limit - 3), { stream: true })}…`;
}

/** At the start of a line these begin a list, a rule across the page or the underline of a title. */
const listStart = /^(\d*)([-+=.)])/u;

const entities = /[&<>"'`*_~|\\[\]{}$:@#!]/gu;

function encode(text: string): string {
  return text.replace(entities, (sign) => `&#${String(sign.charCodeAt(0))};`);
}

/** Most names and numbers, which all that follows would leave as they are: a table may have thousands. */
const harmless = /^(?!.*(?:gh-|www\.|[0-9a-f]{7}))[A-Za-z0-9](?:[A-Za-z0-9 ./-]*[A-Za-z0-9])?$/i;

/** Prose for Markdown, table cells included: nothing in it is markup, a mention, a reference or a link. */
export function markdownText(text: string): string {
  if (harmless.test(text)) return text;
  return encode(
    oneLine(text)
      // GitHub looks for mentions and references in the finished page, where an entity is a plain sign again.
      .replaceAll('@', `@${gap}`)
      .replaceAll('#', `#${gap}`)
      .replace(/GH-(?=\d)/giu, (found) => `${found}${gap}`)
      .replace(/www\./giu, (found) => `${found.slice(0, -1)}${gap}.`)
      .replaceAll('://', `:${gap}//`)
      .replace(/\b([0-9a-f]{4})(?=[0-9a-f]{3,36}\b)/giu, `$1${gap}`),
  );
}

/** Prose that begins a line of Markdown or a quotation. */
export function markdownLine(text: string): string {
  return markdownText(text).replace(
    listStart,
    (_, number: string, sign: string) => `${number}&#${String(sign.charCodeAt(0))};`,
  );
}

/** A name as code for Markdown, table cells included; GitHub makes no mention and no reference inside code. */
export function markdownCode(text: string): string {
  const shown = encode(oneLine(text).replace(/www\./giu, (found) => `${found.slice(0, -1)}${gap}.`));
  return shown === '' ? '' : `<code>${shown}</code>`;
}

/** A path as part of an address. */
export function urlPath(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replace(/[()!'*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}
