/** A text of a Mermaid drawing. Texts are foreign: a character that could end a label or start markup becomes an entity. */
export function mermaidText(text: string): string {
  return text.replace(/[^\p{L}\p{N} ./_-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
}
