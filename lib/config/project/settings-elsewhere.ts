import { existsSync, readdirSync } from 'node:fs';
import path, { posix } from 'node:path';
import { Failure } from '../../core/errors/failure.ts';
import { visibleText } from '../../core/text/visible-text.ts';

/** The name of a file of settings that users mean, but that is not read: `millrace.yml`, `Millrace.yaml`, `.millrace.yaml`. */
export function isOtherSettingsName(name: string): boolean {
  return name !== 'millrace.yaml' && /^\.?millrace(?:\.ya?ml)+$/i.test(name);
}

/**
 * For a folder without `millrace.yaml`, whose default settings would find less. Throws Failure 'config-invalid' if it has a file of settings
 * under another name, and 'usage' if it is inside of a project. `files` and `directory` are relative to the repository, with `/`.
 */
export function refuseSettingsElsewhere(directory: string, files: Iterable<string>, input: string): void {
  const found = [...files];
  const other = found.find(
    (file) => folderOf(file) === directory && isOtherSettingsName(posix.basename(file)),
  );
  if (other !== undefined)
    throw new Failure('config-invalid', {
      message: `"${visibleText(other)}" is not read: the settings of a project are in a file with the name millrace.yaml.`,
      where: { file: other },
      hint: 'Rename the file to millrace.yaml.',
    });
  const known = new Set(found);
  for (let above = directory; above !== '';) {
    above = folderOf(above);
    if (known.has(posix.join(above, 'millrace.yaml')))
      throw new Failure('usage', {
        message: `The folder "${visibleText(directory)}" has no millrace.yaml: it belongs to the project in ${above === '' ? 'the folder above' : `"${visibleText(above)}"`}, whose settings would not apply.`,
        where: { input },
        hint: `Give the folder of the project, or omit ${input}. If this folder is a project of its own, add a millrace.yaml with the line \`version: 1\` to it.`,
      });
  }
}

/** The same for a folder on disk. `root`: the folder above it up to which a project may begin. */
export function refuseSettingsElsewhereOnDisk(root: string, directory: string, input: string): void {
  const inside = path.relative(root, directory).split(path.sep).join('/');
  const names = readdirSync(directory).filter(isOtherSettingsName);
  const files = names.map((name) => posix.join(inside, name));
  for (let above = inside; above !== '';) {
    above = folderOf(above);
    const file = posix.join(above, 'millrace.yaml');
    if (existsSync(path.join(root, file))) files.push(file);
  }
  refuseSettingsElsewhere(inside, files, input);
}

function folderOf(file: string): string {
  const folder = posix.dirname(file);
  return folder === '.' ? '' : folder;
}
