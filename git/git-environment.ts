/** What git gets from us whatever stands outside: no questions, one language, objects as they are, no network. */
const fixed = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  // A replaced object would be published under a commit that does not hold it.
  GIT_NO_REPLACE_OBJECTS: '1',
  // Reading never fetches: in a folder of somebody else's, its configuration would choose the command.
  GIT_NO_LAZY_FETCH: '1',
  // Names are names: `*` in a path is no pattern.
  GIT_LITERAL_PATHSPECS: '1',
  LC_ALL: 'C',
};

/**
 * The environment of every git process. What points git at another repository (a hook exports GIT_DIR and
 * GIT_INDEX_FILE) is left out, so that the folder asked is the folder read.
 */
export function gitEnvironment(
  outside: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const kept = Object.entries(outside).filter(
    ([name]) => !name.startsWith('GIT_') || name.startsWith('GIT_TEST_'),
  );
  return { ...Object.fromEntries(kept), ...fixed };
}
