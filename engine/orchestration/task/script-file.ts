import { SqlError } from '../../core/refusal.ts';
import { type SourceText, sourceText } from '../../core/source-text.ts';
import { placeOfNode, readText } from '../../parameters/parameter-reader.ts';
import type { YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { scriptPath } from '../../../lib/pipelines/checks/missing-file.ts';
import type { Task } from './task.ts';

/**
 * Reads the text of a file, without a byte order mark. A parameter contains the path of the file, relative to the
 * root of the project.
 */
export function scriptFile(node: YamlNode, { reader, files }: Pick<Task, 'reader' | 'files'>): SourceText {
  const written = readText(node, reader)?.text ?? '';
  const path = scriptPath(written);
  const text = path === undefined ? undefined : files(path);
  if (path !== undefined && text !== undefined) return sourceText(text.replace(/^\u{feff}/u, ''), path);
  throw new SqlError(`the file "${written}" was not found in the project`, {
    place: placeOfNode(node, reader),
  });
}
