import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { frugalGit } from '../../../local-github/git/frugal-git.ts';
import { openGitFiles } from '../../../local-github/git/git-files.ts';

const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgSign=false'];
const settings = [...identity, ...frugalGit];

/** A real repository in a folder of its own, removed with `using`. */
export interface TemporaryRepository extends Disposable {
  readonly directory: string;
  git(...args: string[]): string;
  write(file: string, content: string | Buffer): void;
  /** Commits all that is in the work tree; answers the commit's id. */
  commit(message: string): string;
}

export function temporaryRepository(...init: string[]): TemporaryRepository {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace git ')));
  const git = (...args: string[]): string =>
    execFileSync('git', [...settings, ...args], {
      cwd: directory,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trimEnd();
  const key = init.join(' ');
  const known = emptyRepositories.get(key);
  if (known === undefined) {
    git('init', '-q', '-b', 'main', ...init);
    emptyRepositories.set(key, readFolder(directory));
  } else writeFolder(directory, known);
  return {
    directory,
    git,
    write(file, content) {
      const full = path.join(directory, file);
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, content);
    },
    commit(message) {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return openGitFiles(path.join(directory, '.git')).ref('HEAD') ?? git('rev-parse', 'HEAD');
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** What `git init` made in this process, by its arguments: the next repository gets the same without a process. */
const emptyRepositories = new Map<string, Folder>();

interface Folder {
  readonly folders: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
}

function readFolder(directory: string): Folder {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => ({
    name: path.relative(directory, path.join(entry.parentPath, entry.name)),
    isFolder: entry.isDirectory(),
  }));
  const names = entries.filter(({ isFolder }) => !isFolder).map(({ name }) => name);
  return {
    folders: entries.filter(({ isFolder }) => isFolder).map(({ name }) => name),
    files: new Map(names.map((name) => [name, readFileSync(path.join(directory, name))])),
  };
}

function writeFolder(directory: string, { folders, files }: Folder): void {
  for (const name of folders) mkdirSync(path.join(directory, name), { recursive: true });
  for (const [name, bytes] of files) writeFileSync(path.join(directory, name), bytes);
}
