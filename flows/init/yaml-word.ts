import { quoteText } from '../../lib/yaml/quote-text.ts';

/** A text as one word of YAML, in quotes if YAML would read it as something else. */
export function yamlWord(text: string): string {
  const isPlain = /^[A-Za-z][\w./-]*$/.test(text) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(text);
  return isPlain ? text : quoteText(text);
}
