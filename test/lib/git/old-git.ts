import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Puts a `git` into `folder` that treats repositories as git 2.30.3 to 2.31 do where another user owns them:
 * `safe.directory` counts in files of configuration alone, and `GIT_CONFIG_GLOBAL` is not known.
 * @returns the folder, to be the first on the PATH
 */
export function oldGit(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/bash
# A remote on this machine belongs to no other user.
args=(-c 'remote.origin.uploadpack=env -u GIT_TEST_ASSUME_DIFFERENT_OWNER git-upload-pack')
while [ $# -gt 0 ]; do
  if [ "$1" = -c ] && [[ "$2" == safe.directory=* ]]; then shift 2; else args+=("$1"); shift; fi
done
unset GIT_CONFIG_GLOBAL
GIT_CONFIG_COUNT=0 GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec '${real}' "\${args[@]}"
`;
  writeFileSync(path.join(folder, 'git'), script, { mode: 0o755 });
  return folder;
}
