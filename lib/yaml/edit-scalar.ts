import type { Edit } from '../core/outcomes/finding.ts';
import type { YamlSource } from './read-yaml.ts';
import { quoteText } from './quote-text.ts';
import { invisibleCharacter } from '../core/text/visible-text.ts';
import { isShared, type Shareable } from './yaml-node.ts';

/**
 * Returns a function that creates the edit to another text of a scalar, with the same quotation marks; undefined
 * for a block scalar, an alias, and a scalar with an anchor. It does not keep the file's text in memory, because
 * there may be ten thousand files.
 */
export function scalarEditor(source: YamlSource, span: Shareable): (text: string) => Edit | undefined {
  const written = source.text.slice(span.start, span.end);
  const quote = /^["']/.exec(written)?.[0];
  const isEditable =
    !isShared(span) && written !== '' && !/^[|>*&![{]/.test(written) && !written.includes('\n');
  const range = source.toRange(span);
  return (text) => (isEditable ? { ...range, text: quoted(text, quote) } : undefined);
}

/**
 * A text as YAML with the given quotation marks. Without any, it gets double quotation marks if it could otherwise
 * mean another value.
 */
export function quoted(text: string, quote: string | undefined): string {
  if (quote === "'" && !invisibleCharacter.test(text)) return `'${text.replaceAll("'", "''")}'`;
  const plain = quote === undefined && /^[A-Za-z][\w./-]*(?: [\w./-]+)*$/.test(text) && !ambiguous.test(text);
  return plain ? text : quoteText(text);
}

/** Words that YAML 1.1 or 1.2 does not read as a text. */
const ambiguous = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
