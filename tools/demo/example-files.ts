import { exampleFiles as readExampleFiles } from '../../cli/demo/example-files.ts';

/** The example project with the demo's project id in its `millrace.yaml`: path and text of each file. */
export async function exampleFiles(projectId: string): Promise<Record<string, string>> {
  const files = await readExampleFiles();
  const settings = files['millrace.yaml'] ?? '';
  return { ...files, 'millrace.yaml': settings.replace(/^project: .*$/m, `project: ${projectId}`) };
}
