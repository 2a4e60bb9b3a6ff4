import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The code blocks of a page of `docs/` in a language. */
export function codeBlocks(page: string, language: string): readonly string[] {
  const fence = /^```(\w*)\n([^]*?)^```$/gm;
  const text = readFileSync(path.resolve(import.meta.dirname, '../../docs', page), 'utf8');
  return [...text.matchAll(fence)].filter(([, name]) => name === language).map(([, , code = '']) => code);
}
