/**
 * Limits of expressions, far above what real expressions need. They prevent that a hostile expression uses much
 * time or memory.
 */
export const limits = {
  /** UTF-16 units of an expression. */
  length: 10_000,
  /** Levels of brackets and the like. */
  nesting: 100,
  /** Operators, members and calls: the tree is at most this deep. */
  operations: 1000,
  /** UTF-16 units of every text that an expression makes. */
  text: 1_000_000,
  /** Items of every list that an expression makes. */
  items: 100_000,
  /** Steps of a compiled pattern, times characters of the text that it searches. */
  patternWork: 10_000_000,
} as const;
