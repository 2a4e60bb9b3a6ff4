import { existsSync, readdirSync } from 'node:fs';
import path, { posix } from 'node:path';
import { Failure } from '../../core/errors/failure.ts';
import { visibleText } from '../../core/text/visible-text.ts';

/**
 * Whether a file name is probably meant as the settings file, but is not read: `millrace.yml`, `Millrace.yaml`,
 * `.millrace.yaml`.
 */
export function isOtherSettingsName(name: string): boolean {
  return name !== 'millrace.yaml' && /^\.?millrace(?:\.ya?ml)+$/i.test(name);
}

/**
 * Checks a folder without `millrace.yaml`, because its default settings would find less than the settings that the
 * user meant. Throws Failure 'config-invalid' if it or a folder above has a settings file with another name, and
 * 'usage' if it is inside a project, whichever is nearest. `files` and `directory` are relative to the repository,
 * with `/`.
 * @param above the text before names in messages: outside of a repository, the folder to which they are relative
 */
export function refuseSettingsElsewhere(
  directory: string,
  files: Iterable<string>,
  input: string,
  above = '',
): void {
  const found = [...files];
  const known = new Set(found);
  for (let folder = directory; ; folder = folderOf(folder)) {
    if (folder !== directory && known.has(posix.join(folder, 'millrace.yaml')))
      throw isInside(`${above}${directory}`, `${above}${folder}`.replace(/(?<=.)\/$/, ''), input);
    const other = found.find(
      (file) => folderOf(file) === folder && isOtherSettingsName(posix.basename(file)),
    );
    if (other !== undefined) throw otherName(`${above}${other}`);
    if (folder === '') return;
  }
}

function otherName(file: string): Failure {
  return new Failure('config-invalid', {
    message: `"${visibleText(file)}" is not read: the settings of a project are in a file with the name millrace.yaml.`,
    where: { file },
    hint: 'Rename the file to millrace.yaml.',
  });
}

function isInside(directory: string, above: string, input: string): Failure {
  return new Failure('usage', {
    message: `The folder "${visibleText(directory)}" has no millrace.yaml: it belongs to the project in ${above === '' ? 'the folder above' : `"${visibleText(above)}"`}, whose settings would not apply.`,
    where: { input },
    hint: `Give the folder of the project, or omit ${input}. If this folder is a project of its own, add a millrace.yaml with the line \`version: 1\` to it.`,
  });
}

/** The same check for a folder on disk. `root`: the highest folder in which a project may begin. */
export function refuseSettingsElsewhereOnDisk(root: string, directory: string, input: string): void {
  const inside = path.relative(root, directory).split(path.sep).join('/');
  const files: string[] = [];
  for (let folder = inside; ; folder = folderOf(folder)) {
    const isSettings = (name: string) => name === 'millrace.yaml' || isOtherSettingsName(name);
    files.push(
      ...namesIn(path.join(root, folder))
        .filter(isSettings)
        .map((name) => posix.join(folder, name)),
    );
    if (folder === '') break;
  }
  const folder = root.split(path.sep).join('/');
  const above = existsSync(path.join(root, '.git')) ? '' : folder.endsWith('/') ? folder : `${folder}/`;
  refuseSettingsElsewhere(inside, files, input, above);
}

/** The names in a folder; nothing for one that cannot be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function folderOf(file: string): string {
  const folder = posix.dirname(file);
  return folder === '.' ? '' : folder;
}
