import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { allCommands, wordsOf } from '../../cli/kit/help.ts';
import { inProcess } from './in-process.ts';
import { wholeProgram } from './whole-program.ts';

const script = async (shell: string) => (await inProcess(['completion', shell])).stdout;

/** What bash offers after these words; the last one is not complete. Words as bash takes them apart. */
function offered(bash: string, ...words: readonly string[]): readonly string[] {
  const list = ['millrace', ...words].map((word) => `'${word}'`).join(' ');
  const program = `${bash}\nCOMP_WORDS=(${list})\nCOMP_CWORD=${words.length}\n_millrace\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
  const written = execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8', env: {} });
  return written.split('\n').filter((word) => word !== '');
}

test('bash completes commands, subcommands, options and values', async () => {
  const bash = await script('bash');
  const after = (...words: readonly string[]) => offered(bash, ...words);
  expect(after('rev')).toEqual(['review']);
  expect(after('')).toEqual(wholeProgram().commands.map((command) => command.name()));
  expect(after('platform', '')).toEqual(['exec']);
  expect(after('review', '--upd')).toEqual(['--update-baseline']);
  expect(after('--json', 'review', 'a.orch.yaml', '--loc')).toEqual(['--local']);
  expect(after('review', '--fail-on', '')).toEqual(['error', 'warning', 'notice', 'never']);
  expect(after('review', '--fail-on', '=', 'n')).toEqual(['notice', 'never']);
  expect(after('review', '--fail-on', '=')).toEqual(['error', 'warning', 'notice', 'never']);
  expect(after('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  // bash then completes the names of files itself.
  expect([
    after('review', 'dai'),
    after('review', '--config', ''),
    after('platform', 'exec', '--', '-'),
  ]).toEqual([[], [], []]);
});

test('bash registers the function for millrace, with files where it offers nothing', async () => {
  const program = `${await script('bash')}\ncomplete -p millrace`;
  const written = execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8', env: {} });
  expect(written.trim()).toBe('complete -o bashdefault -o default -F _millrace millrace');
});

test.each(['bash', 'zsh', 'fish'])('the script for %s has all commands with their options', async (shell) => {
  const text = await script(shell);
  for (const command of allCommands(wholeProgram())) {
    const line = text.split('\n').filter((one) => one.includes(wordsOf(command)));
    expect(line.length).toBeGreaterThan(0);
    for (const { long, hidden } of command.options)
      if (!hidden) expect(line.join('\n')).toContain(shell === 'fish' ? `-l ${long?.slice(2)} ` : long);
  }
});

test('an unknown shell is wrong use', async () => {
  expect(await inProcess(['completion', 'csh'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('bash, zsh, fish'),
  });
});
