import { oneLine, sanitizeText } from '../core/text/sanitize-text.ts';

/**
 * Makes foreign text (component names, messages of the platform, branch names) safe for GitHub. It must not start a
 * workflow command, mention a user, create a link, break out of a table, or send an escape to a terminal.
 */

/** An invisible character that interrupts GitHub's patterns. */
const gap = '\u200B';

/** At the start of a line these begin a list, a horizontal rule or the underline of a title. */
const listStart = /^(\d*)([-+=.)])/u;

const entities = /[&<>"'`*_~|\\[\]{}$:@#!]/gu;

function encode(text: string): string {
  return text.replace(entities, (sign) => `&#${String(sign.charCodeAt(0))};`);
}

/** A fast path for most names and numbers, which need no escaping: a table may have thousands. */
const harmless = /^(?!.*(?:gh-|www\.|[0-9a-f]{7}))[A-Za-z0-9](?:[A-Za-z0-9 ./-]*[A-Za-z0-9])?$/i;

/** Escapes prose for Markdown, also in table cells: the result has no markup, mention, reference or link. */
export function markdownText(text: string): string {
  if (harmless.test(text)) return text;
  return encode(
    oneLine(text)
      // GitHub searches for mentions and references in the rendered page, where an entity is a plain character again.
      .replaceAll('@', `@${gap}`)
      .replaceAll('#', `#${gap}`)
      .replace(/GH-(?=\d)/giu, (match) => `${match}${gap}`)
      .replace(/www\./giu, (match) => `${match.slice(0, -1)}${gap}.`)
      .replaceAll('://', `:${gap}//`)
      .replace(/\b([0-9a-f]{4})(?=[0-9a-f]{3,36}\b)/giu, `$1${gap}`),
  );
}

/** Escapes prose at the start of a line or quotation in Markdown. */
export function markdownLine(text: string): string {
  return markdownText(text).replace(
    listStart,
    (_, number: string, sign: string) => `${number}&#${String(sign.charCodeAt(0))};`,
  );
}

/** Writes a name as code in Markdown, also in table cells. GitHub creates no mentions and references in code. */
export function markdownCode(text: string): string {
  const shown = encode(oneLine(text).replace(/www\./giu, (match) => `${match.slice(0, -1)}${gap}.`));
  return shown === '' ? '' : `<code>${shown}</code>`;
}

/**
 * Lines as a code block in Markdown, in which nothing is a mention, a link or HTML. Its fence has more backticks
 * than any run in the lines.
 */
export function markdownBlock(lines: readonly string[]): readonly string[] {
  const text = lines.map((line) => sanitizeText(line, () => '\uFFFD')).join('\n');
  const runs = (text.match(/`+/g) ?? []).map((run) => run.length);
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return [`${fence}text`, ...text.split('\n'), fence];
}

/** Encodes a path for use in an address. */
export function urlPath(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replace(/[()!'*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}
