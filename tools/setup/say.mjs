/** One line about what the set-up does; on stderr, because stdout belongs to the task. */
export function say(line) {
  process.stderr.write(`millrace: ${line}\n`);
}
