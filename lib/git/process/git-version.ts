import { runGit } from './run-git.ts';
import { gitEnvironment } from './git-environment.ts';

/** Reads the output of `git --version`. Throws Failure 'git-failed' if git is not installed. */
export async function readGitVersion(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const place = { directory: '.', safeDirectory: '.', environment: gitEnvironment(environment) };
  const { stdout } = await runGit(place, ['--version'], { asked: 'print its version' });
  return stdout.toString().trim();
}
