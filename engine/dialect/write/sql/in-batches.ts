const BATCHES = 16;
/** The bytes from which a text counts as large. */
const LARGE = 1024;

/**
 * The SQL that calls a function of the engine with a text. If texts are large, the rows are split into several
 * batches. DuckDB passes some thousand rows at once, and until they are done, this process cannot do anything else,
 * not even cancel the statement. The text is computed only once.
 */
export function inBatches(text: string, call: (text: string) => string): string {
  const value = 'millrace_text';
  const result = call(value);
  const batches = Array.from(
    { length: BATCHES - 1 },
    (_, index) => `WHEN hash(${value}) % ${BATCHES} = ${index} THEN ${result}`,
  );
  const cases = `CASE WHEN strlen(${value}) < ${LARGE} THEN ${result} ${batches.join(' ')} ELSE ${result} END`;
  return `list_transform([${text}], lambda ${value}: ${cases})[1]`;
}
