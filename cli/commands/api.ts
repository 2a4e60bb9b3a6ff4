import { readFile, stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { asOperation, findOperation, operations } from '../../contract/operations.ts';
import { closestWord } from '../../model/closest-word.ts';
import { Failure } from '../../model/failure.ts';
import { act, type AddCommand, definePlatformCommand, pairs } from '../command.ts';
import { apiInput } from '../api-input.ts';
import type { Io } from '../io.ts';
import type { CommonOptions } from '../session.ts';

interface Options extends CommonOptions {
  readonly param?: Record<string, string>;
  readonly body?: string;
  readonly file?: readonly string[];
  readonly list?: boolean;
  readonly dryRun?: boolean;
}

const several = (value: string, before: readonly string[] = []) => [...before, value];

/** `millrace api`: any of the 34 operations, by its id in the contract. */
export const addApi: AddCommand = (program, shell) => {
  definePlatformCommand(
    program,
    'api',
    'Call any operation of the platform’s API; the answer is printed as JSON.',
  )
    .argument('[operation]', 'such as artifacts.list; docs/api.md has them all')
    .option('--param <name=value>', 'a path, query, header or body field; may be repeated', pairs)
    .option('--body <file>', 'JSON body from a file, or - for standard input')
    .option('--file <path>', 'a file to upload, relative to the working directory; may be repeated', several)
    .option('--list', 'list the operations')
    .option('--dry-run', 'show the input, send nothing')
    .action(
      act<Options>(shell, async (session, options, id) => {
        const { output, io } = session;
        if (options.list === true || id === undefined) {
          output.result(
            operations.map(asOperation).map(({ id: name, method, path: route, summary }) => ({
              id: name,
              method,
              path: route,
              summary,
            })),
            operations
              .map(asOperation)
              .map(({ id: name, method, path: route }) => `${name.padEnd(28)} ${method.padEnd(6)} ${route}`),
          );
          return 'passed';
        }
        const operation = findOperation(id);
        if (operation === undefined) throw unknownOperation(id);
        const body = options.body === undefined ? {} : await readBody(options.body, io);
        const files = await Promise.all(
          (options.file ?? []).map((file) => uploadOf(session.directory, file)),
        );
        const given = apiInput(asOperation(operation), { params: options.param ?? {}, body, files });
        return await session.withPlatform(async ({ client, projectId, signal }) => {
          const input = 'projectId' in operation.params.shape ? { projectId, ...given } : given;
          if (options.dryRun === true)
            output.result({ operation: id, input }, [JSON.stringify({ operation: id, input }, null, 2)]);
          else {
            const answer = (await client.request(id, input, { signal })) ?? null;
            output.result(answer, [JSON.stringify(answer, null, 2)]);
          }
          return 'passed' as const;
        });
      }),
    );
};

function unknownOperation(id: string): Failure {
  const guess = closestWord(
    id,
    operations.map((operation) => operation.id),
  );
  return new Failure('usage', {
    message: `There is no operation "${id}".${guess === undefined ? '' : ` Did you mean ${guess}?`}`,
    where: { input: 'operation' },
    mend: 'See `millrace api --list`.',
  });
}

async function readBody(source: string, { stdin, cwd }: Io): Promise<Record<string, unknown>> {
  const content = source === '-' ? await text(stdin) : await readFile(path.resolve(cwd, source), 'utf8');
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch (cause) {
    throw new Failure('usage', {
      message: `The body is no JSON: ${cause instanceof Error ? cause.message : ''}`,
      where: source === '-' ? { input: '--body' } : { file: source },
    });
  }
  throw new Failure('usage', { message: 'The body must be a JSON object.', where: { input: '--body' } });
}

async function uploadOf(directory: string, file: string) {
  const name = file.split(path.sep).join('/').replace(/^\.\//, '');
  const full = path.resolve(directory, file);
  const { size } = await stat(full);
  return { path: name, bytes: size, open: () => createReadStream(full) };
}
