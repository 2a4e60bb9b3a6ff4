/**
 * Limits of expressions, far above what real expressions need. They prevent a hostile expression from using too much
 * time or memory.
 */
export const limits = {
  /** Maximum length of an expression, in UTF-16 code units. */
  length: 10_000,
  /** Maximum nesting depth of brackets and similar signs. */
  nesting: 100,
  /** Maximum number of operators, members and calls. It also limits the depth of the tree. */
  operations: 1000,
  /** Maximum length of a text that an expression creates, in UTF-16 code units. */
  text: 1_000_000,
  /** Maximum number of items in a list that an expression creates. */
  items: 100_000,
  /**
   * Maximum product of the steps of a compiled regular expression and the characters of the text that it searches.
   */
  patternWork: 10_000_000,
} as const;
