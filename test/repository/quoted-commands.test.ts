import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allCommands, wordsOf } from '../../cli/kit/help.ts';
import { wholeProgram } from '../cli/whole-program.ts';
import { root } from './repository-files.ts';

const folders = [
  '.',
  'docs',
  'docs/actions',
  'docs/decisions',
  'examples',
  'examples/client',
  'examples/warehouse',
];
const pages = [
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
      .map((name) => join(folder, name)),
  ),
  ...readdirSync(join(root, 'actions'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join('actions', name, 'README.md')),
];

const call = /^(?:\$ |exec |npx )*(?:npm run (?:-s )?millrace -- |millrace )(.*)$/;

/** Words of a line as a shell takes them apart, up to a comment or what comes after the command. */
function shellWords(line: string): readonly string[] {
  const words = Array.from(
    line.matchAll(/"([^"]*)"|'([^']*)'|\S+/g),
    ([word, double, single]) => double ?? single ?? word,
  );
  const end = words.findIndex((word) => /^(?:#.*|\||&&|\|\||>|2>.*|;)$/.test(word));
  return end < 0 ? words : words.slice(0, end);
}

const isPattern = (line: string) => /[<>…[\]]|\s\|\s/.test(line.replace(/\s#.*$/, ''));

/** The lines of code blocks that call the command. */
function linesOf(page: string): readonly string[] {
  return Array.from(page.matchAll(/^```(\w*)\n(.*?)^```$/gmsu), ([, language = '', block = '']) =>
    ['', 'sh', 'bash', 'text'].includes(language) ? block : '',
  )
    .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
    .flatMap((line) => call.exec(line.trim())?.[1] ?? [])
    .filter((line) => !isPattern(line));
}

/** Calls of the command inside sentences: these may leave out what must be given. */
function mentionsOf(page: string): readonly string[] {
  const prose = page.replaceAll(/^```.*?^```/gmsu, '');
  return Array.from(prose.matchAll(/`([^`]+)`/g), ([, code = '']) => code.replaceAll('\n', ' '))
    .flatMap((code) => call.exec(code)?.[1] ?? [])
    .flatMap((code) => code.split(' | ')[0] ?? []);
}

describe.each(pages)('%s', (name) => {
  const page = readFileSync(join(root, name), 'utf8');

  test('contains only commands that the real program accepts', async () => {
    for (const line of linesOf(page)) {
      const program = wholeProgram();
      let called = '';
      for (const command of allCommands(program)) command.action(() => void (called = wordsOf(command)));
      const words = shellWords(line);
      const ended = program.parseAsync([...words], { from: 'user' }).then(
        () => (called === '' ? 'no command' : ''),
        (error: { code?: string; message: string }) =>
          ['commander.helpDisplayed', 'commander.version'].includes(error.code ?? '') ? '' : error.message,
      );
      expect({ line, ended: await ended }).toEqual({ line, ended: '' });
    }
  });

  test('mentions only existing commands and options', () => {
    const program = wholeProgram();
    for (const mention of mentionsOf(page)) {
      let command = program;
      const unknown: string[] = [];
      const words = mention.split(' -- ')[0]?.split(/\s+/) ?? [];
      for (const [index, word] of words.entries()) {
        const next = command.commands.find((one) => one.name() === word);
        if (next !== undefined) command = next;
        else if (index === 0 && /^[a-z]/.test(word)) unknown.push(word);
        const option = /^--?[a-z][a-z-]*/.exec(word)?.[0];
        if (option === undefined || ['--help', '-h'].includes(option)) continue;
        if (!command.options.some(({ long, short }) => long === option || short === option))
          unknown.push(word);
      }
      expect({ mention, unknown }).toEqual({ mention, unknown: [] });
    }
  });

  test('mentions only options of a command or of another known tool', () => {
    const known = new Set([
      ...[wholeProgram(), ...allCommands(wholeProgram())].flatMap(({ options }) =>
        options.map(({ long }) => long),
      ),
      '--help',
    ]);
    const named = Array.from(page.matchAll(/`(--[a-z][a-z-]*)(?:[ =][^`]*)?`/g), ([, option = '']) => option);
    expect(named.filter((option) => !known.has(option))).toEqual([]);
  });
});

test('the pages contain many commands to check', () => {
  const texts = pages.map((name) => readFileSync(join(root, name), 'utf8'));
  expect(texts.flatMap(linesOf).length).toBeGreaterThan(30);
  expect(texts.flatMap(mentionsOf).length).toBeGreaterThan(30);
});
