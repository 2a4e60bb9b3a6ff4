import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The example project with the demo's project id in its `millrace.yaml`: path and text of each file. */
export async function exampleFiles(projectId: string): Promise<Record<string, string>> {
  const root = path.resolve(import.meta.dirname, '../../examples/warehouse');
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: Record<string, string> = {};
  for (const entry of entries.filter((one) => one.isFile())) {
    const full = path.join(entry.parentPath, entry.name);
    files[path.relative(root, full).split(path.sep).join('/')] = await readFile(full, 'utf8');
  }
  const settings = files['millrace.yaml'] ?? '';
  return { ...files, 'millrace.yaml': settings.replace(/^project: .*$/m, `project: ${projectId}`) };
}
