import type { Edit } from '../../core/finding.ts';
import type { YamlSource } from '../../yaml/read-yaml.ts';
import type { YamlNode } from '../../yaml/yaml-node.ts';

/**
 * Returns a function that creates the edit for another text of a scalar, with the same quotation marks; undefined for
 * a block scalar or an alias. It keeps only the form: with the text, ten thousand files would stay in memory.
 */
export function scalarEditor(source: YamlSource, node: YamlNode): (text: string) => Edit | undefined {
  const written = source.text.slice(node.start, node.end);
  const quote = /^["']/.exec(written)?.[0];
  const known = node.kind === 'scalar' && !/^[|>*&!]/.test(written) && !written.includes('\n');
  const range = source.toRange(node);
  return (text) => (known ? { ...range, text: quoted(text, quote) } : undefined);
}

function quoted(text: string, quote: string | undefined): string {
  if (quote === "'") return `'${text.replaceAll("'", "''")}'`;
  const plain = quote === undefined && /^[A-Za-z][\w./-]*(?: [\w./-]+)*$/.test(text);
  return plain ? text : JSON.stringify(text);
}
