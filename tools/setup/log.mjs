/** Writes a line about the progress of the set-up to stderr, because stdout belongs to the task. */
export function log(line) {
  process.stderr.write(`millrace: ${line}\n`);
}
