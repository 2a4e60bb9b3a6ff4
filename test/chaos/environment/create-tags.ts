import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openBareRepository } from '../../../local-github/git/bare-repository.ts';

/** Makes a commit on `main` for each tag, in their order; gives the commits by the tags' names. One call of git for all. */
export async function layTags(
  repository: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  // Commits that are added later read their parents from files of their own, not from a pack.
  const loose = ['-c', 'fastimport.unpackLimit=1000000'];
  const git = spawn('git', ['--git-dir', repository, ...loose, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const seconds = Math.floor(Date.now() / 1_000);
  git.stdin.write('reset refs/heads/main\nfrom refs/heads/main^0\n\n');
  for (const [i, name] of names.entries()) {
    git.stdin.write(
      `commit refs/heads/main\nmark :${i + 1}\ncommitter octo <octo@example.com> ${seconds + i} +0000\ndata <<.\n${name}\n.\n` +
        `M 100644 inline notes.txt\ndata <<.\n${name}\n.\n\nreset refs/tags/${name}\nfrom :${i + 1}\n\n`,
    );
  }
  git.stdin.end();
  const [code] = (await once(git, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
  const bare = openBareRepository(repository, process.env);
  // Hundreds of files of one line would be opened for each question.
  await bare.git('pack-refs', '--all');
  return new Map((await bare.refs('refs/tags')).map(({ ref, sha }) => [ref.replace('refs/tags/', ''), sha]));
}
