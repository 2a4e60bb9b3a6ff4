import { z } from 'zod';
import { projectPathSchema } from '../fields/field-types.ts';

/** The section `calls` of `millrace.yaml`. */
export const callsSchema = z
  .strictObject({
    root: projectPathSchema
      .optional()
      .describe(
        'The folder to which the paths of calls are relative, because the project of the platform starts there. `.` is the project itself. Default: the project itself, or for calls that lead nowhere from there, the folder from which most calls resolve.',
      ),
    'called-as': projectPathSchema
      .optional()
      .describe(
        'The name that calls have before their path instead of `root`: a former name of that folder, or the folder above it on the platform.',
      ),
  })
  .refine((calls) => calls.root !== undefined || calls['called-as'] === undefined, {
    error: '`called-as` needs `root`, the folder to which calls refer with this name',
    path: ['called-as'],
  });

/** The folder that the settings name for calls; undefined if they name none. */
export function callFolderOf({
  root,
  'called-as': calledAs,
}: z.output<typeof callsSchema>):
  { readonly folder: string; readonly calledAs: string | undefined } | undefined {
  if (root === undefined) return undefined;
  const folder = withoutSlash(root);
  return { folder: folder === '.' ? '' : folder, calledAs: calledAs && withoutSlash(calledAs) };
}

function withoutSlash(path: string): string {
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

/** The schema, in reports, of the folder from which the calls of a project are resolved. */
export const callRootSchema = z
  .object({
    folder: z.string().describe('Relative to the project; empty for the project itself.'),
    calledAs: z
      .string()
      .optional()
      .describe('The name that calls have before their path instead of the folder.'),
    resolved: z.int().optional().describe('Number of calls that lead to a pipeline from there.'),
    fromProject: z
      .int()
      .optional()
      .describe('Number of calls that lead to a pipeline from the project itself.'),
    calls: z.int().optional().describe('Number of all calls of pipelines of the project.'),
    firstCaller: z.string().optional().describe('The first pipeline with a call that needs that folder.'),
  })
  .optional()
  .describe(
    'The folder from which calls are resolved, if it is not the project itself. The numbers are left out if millrace.yaml names the folder.',
  );
