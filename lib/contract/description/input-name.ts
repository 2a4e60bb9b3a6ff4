/** The name of a header in the input of the client's methods: `agentVersion` for `Agent-Version`. */
export function inputNameOf(header: string): string {
  return header
    .split('-')
    .map(
      (word, index) =>
        (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1),
    )
    .join('');
}
