/**
 * Makes a text safe for a label of a Mermaid graph: characters that could end the label or start markup become
 * entities.
 */
export function mermaidLabel(text: string): string {
  return text.replace(/[^\p{L}\p{N} ./_-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);
}
