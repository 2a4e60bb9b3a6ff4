import { quoteText } from '../../../lib/yaml/quote-text.ts';

/** Writes a text as a YAML value, for lines that users copy. */
export function yamlText(text: string): string {
  const isPlain =
    /^[A-Za-z_][\w.]*(?: [\w.]+)*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : quoteText(text);
}

const examples: Readonly<Record<string, string>> = {
  BOOLEAN: 'true',
  DATE: "'2026-01-02'",
  TIME: "'06:00:00'",
  TIMESTAMP: "'2026-01-02 06:00:00'",
  TIMESTAMP_TZ: "'2026-01-02 06:00:00+00:00'",
  TIMESTAMP_LTZ: "'2026-01-02 06:00:00+00:00'",
  VARIANT: '{}',
  SUPER: '{}',
  VARCHAR: 'text',
  BINARY: "'00'",
};

/** Writes a row of YAML with an example value for each column, chosen by the text of its type. */
export function exampleRow(types: Readonly<Record<string, string>>): string {
  const cells = Object.entries(types).map(
    ([name, type]) => `${yamlText(name)}: ${examples[type.replace(/\(.*/, '')] ?? '1'}`,
  );
  return `{ ${cells.length === 0 ? 'column: value' : cells.join(', ')} }`;
}

/** Writes columns and their types as YAML, such as `{ id: "NUMBER(38,0)" }`. */
export function typeMap(types: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(types)
    .map(([name, type]) => `${yamlText(name)}: ${yamlText(type)}`)
    .join(', ')} }`;
}
