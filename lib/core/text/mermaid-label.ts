/** A text in a label of a Mermaid graph. Names are foreign text: what could end a label or start markup becomes an entity. */
export function mermaidLabel(text: string): string {
  return text.replace(/[^\p{L}\p{N} ./_-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
}
