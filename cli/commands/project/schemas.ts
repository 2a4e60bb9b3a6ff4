import { statSync } from 'node:fs';
import path from 'node:path';
import { Argument } from 'commander';
import type { DefaultNames } from '../../../flows/schemas/schemas-text.ts';
import type { ImportedFile } from '../../../flows/schemas/import-schemas.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { writeNewFiles } from '../../init/write-new-files.ts';
import { type AddCommand, commandAction, defineCommand } from '../../kit/command.ts';
import { readInput } from '../../kit/read-input.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { writeFileAtomically } from '../../kit/write-file-atomically.ts';
import { openTests } from '../../tests/open-tests.ts';

interface Options extends CommonOptions {
  readonly output?: string;
  readonly all?: boolean;
  readonly environmentDefault?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

const defaultFolder = 'schemas';

/**
 * `millrace schemas import`: writes the columns of tables from outside the project to files, from an export of the
 * warehouse.
 */
export const addSchemas: AddCommand = (program, shell) => {
  defineCommand(program, 'schemas', 'Import the columns of tables that no pipeline of the project creates.')
    .addArgument(new Argument('<action>', 'action').choices(['import']))
    .argument('<file>', 'the CSV of information_schema.columns; - for standard input')
    .option(
      '--output <folder>',
      'folder in the project for the files (default: schemas in the project’s folder)',
    )
    .option('--all', 'import all tables, not only those whose names the project uses')
    .option(
      '--environment-default <name>',
      'database.schema of the export to use where pipelines have [Environment Default]',
    )
    .option('--force', 'replace files that exist')
    .option('--dry-run', 'show what would be written, without writing')
    .action(commandAction<Options>(shell, importFile));
};

async function importFile(session: Session, options: Options, ...words: string[]): Promise<Outcome> {
  const [, file = ''] = words;
  const { all = false, force = false, dryRun = false, json = false } = options;
  const defaults = defaultNames(options.environmentDefault);
  const project = await openTests(session);
  const folder = folderOf(project.directory, session, options.output);
  refuseLarge(path.resolve(session.io.cwd, file), file);
  const text = await readInput(session, 'FILE', file);
  const { importSchemas } = await import('../../../flows/schemas/import-schemas.ts');
  const { importLines } = await import('../../../flows/schemas/import-lines.ts');
  const imported = await importSchemas({
    project,
    text,
    file,
    folder,
    all,
    defaults,
    signal: session.flow.signal,
  });
  if (!force) refuseReplaced(imported.files);
  if (!dryRun) await writeFiles(imported.files, project.directory);
  const files = imported.files.map(({ path: name, tables, columns, change }) => ({
    path: name,
    tables,
    columns,
    change,
  }));
  session.output.result({ ...imported, files, dryRun }, json ? [] : importLines(imported));
  return 'passed';
}

/** In bytes. An export of 200,000 columns has 60 MB at most. */
const maxBytes = 256 * 1024 ** 2;

/** Throws Failure 'usage'. */
function refuseLarge(location: string, file: string): void {
  if ((statSync(location, { throwIfNoEntry: false })?.size ?? 0) <= maxBytes) return;
  throw new Failure('usage', {
    message: `${file} is larger than 256 MiB.`,
    where: { input: 'FILE' },
    hint: 'Export fewer schemas, or fewer columns of information_schema.columns, into each file.',
  });
}

/** Throws Failure 'usage' for a file that exists with another content. */
function refuseReplaced(files: readonly ImportedFile[]): void {
  const first = files.find(({ change }) => change === 'replaced');
  if (first === undefined) return;
  throw new Failure('usage', {
    message: `${first.path} exists already, with another content. Nothing was written.`,
    where: { file: first.path },
    hint: 'Replace it with --force, or write into another folder with --output. --force --dry-run shows all files, and writes nothing.',
  });
}

async function writeFiles(files: readonly ImportedFile[], directory: string): Promise<void> {
  const location = (file: ImportedFile) => path.join(directory, file.path);
  await writeNewFiles(
    files
      .filter(({ change }) => change === 'created')
      .map((file) => ({ location: location(file), path: file.path, text: file.text, executable: false })),
    [directory],
  );
  for (const file of files.filter(({ change }) => change === 'replaced'))
    await writeFileAtomically(location(file), file.text);
}

/** The folder relative to the project, with forward slashes. Throws Failure 'usage'. */
function folderOf(directory: string, { here }: Session, named: string | undefined): string {
  if (named === undefined) return defaultFolder;
  const folder = path.relative(directory, path.resolve(here, named)).split(path.sep).join('/');
  if (folder !== '..' && !folder.startsWith('../') && !path.isAbsolute(folder)) return folder;
  throw new Failure('usage', {
    message: `The folder ${named} is outside of the project, so millrace.yaml cannot name its files.`,
    where: { input: '--output' },
    hint: 'Give a folder of the project.',
  });
}

function defaultNames(text: string | undefined): readonly DefaultNames[] {
  if (text === undefined) return [];
  const [database, schema, ...others] = text.split('.');
  if (
    database !== undefined &&
    database !== '' &&
    schema !== undefined &&
    schema !== '' &&
    others.length === 0
  )
    return [{ database, schema }];
  throw new Failure('usage', {
    message: `"${text}" is not a database and a schema.`,
    where: { input: '--environment-default' },
    hint: 'Write database.schema as the export has them, such as PROD.PUBLIC.',
  });
}
