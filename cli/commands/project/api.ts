import type { Command } from 'commander';
import { isRecord } from '../../../lib/core/values/is-record.ts';
import { messageOf } from '../../../lib/core/errors/message-of.ts';
import type { AnyOperation } from '../../../lib/contract/operations.ts';
import { meantSentence } from '../../../lib/core/text/did-you-mean.ts';
import { parseExactJson } from '../../../lib/core/values/exact-number.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { uploadLimitMs } from '../../../lib/core/ports/time-limits.ts';
import { apiInput } from '../../platform/api-input.ts';
import { commandAction, type AddCommand, definePlatformCommand, parsePair } from '../../kit/command.ts';
import { jsonLines } from '../../terminal/json-lines.ts';
import { programName } from '../../terminal/program-name.ts';
import { readInput } from '../../kit/read-input.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { openUpload } from '../../platform/open-upload.ts';

interface Options extends CommonOptions {
  readonly param?: Record<string, string>;
  readonly body?: string;
  readonly file?: readonly string[];
  readonly list?: boolean;
  readonly dryRun?: boolean;
  readonly help?: boolean;
}

const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** `millrace api`: calls any operation by its id in the contract. */
export const addApi: AddCommand = (program, shell) => {
  definePlatformCommand(
    program,
    'api',
    'Call any operation of the platform’s API, and print the response as JSON.',
  )
    .argument('[operation]', 'operation id, such as artifacts.list; see --list or docs/api.md')
    .option(
      '--param <name=value>',
      'a path, query, header or body field as text, or name:=JSON; may be repeated',
      parsePair,
    )
    .option('--body <file>', 'JSON body from a file; - for standard input')
    .option('--file <path>', 'file to upload, relative to the current folder; may be repeated', collect)
    .option('--list', 'list the operations')
    .option('--dry-run', 'validate and show the input, without sending it')
    // An option of this command, because commander would show the help of the command for an operation too.
    .helpOption(false)
    .option('-h, --help', 'display help for the command, or for an operation: its fields, answer and example')
    .action(async (...args: [string | undefined, Options, Command]) => {
      const [id, { help }, command] = args;
      if (help !== true) return callOperation(...args);
      if (id === undefined) command.outputHelp();
      else shell.io.stdout.write(`${(await helpOf(id, programName(shell.io))).join('\n')}\n`);
      return undefined;
    });

  const callOperation = commandAction<Options>(shell, async (session, options, id) => {
    const { output, flow } = session;
    const { operations } = await import('../../../lib/contract/operations.ts');
    if (options.list === true || id === undefined) {
      const list = operations.map((row) => ({
        id: row.id,
        method: row.method,
        path: row.path,
        summary: row.summary,
      }));
      output.result(
        list,
        list.map((row) => `${row.id.padEnd(28)} ${row.method.padEnd(6)} ${row.path}`),
      );
      return 'passed';
    }
    const operation = await operationOf(id);
    const input = await inputOf(operation, options, session);
    if (options.dryRun === true) {
      const { validateInput } = await import('../../../client/request/validate-input.ts');
      validateInput(operation, input);
      output.result({ operation: id, input }, jsonLines({ operation: id, input }));
      return 'passed';
    }
    const answer = await session.withClient(
      (client) => client.request(id, input, { signal: flow.signal }),
      operation.body.kind === 'multipart' ? uploadLimitMs : undefined,
    );
    output.result(answer ?? null, jsonLines(answer ?? null));
    return 'passed';
  });
};

/** Throws Failure 'usage' if the contract has no such operation. */
async function operationOf(id: string): Promise<AnyOperation> {
  const { operations, findOperation } = await import('../../../lib/contract/operations.ts');
  const operation = findOperation(id);
  if (operation !== undefined) return operation;
  const ids = operations.map((row) => row.id);
  throw new Failure('usage', {
    message: `The operation "${id}" does not exist.${meantSentence(id, ids)}`,
    where: { input: 'operation' },
    hint: 'List the operations with `millrace api --list`.',
  });
}

async function helpOf(id: string, program: string): Promise<string[]> {
  const operation = await operationOf(id);
  const { operationExamples } = await import('../../../lib/contract/examples.ts');
  const { operationHelp } = await import('../../platform/operation-help.ts');
  return operationHelp(operation, operationExamples[operation.id], program);
}

/** The given input, plus the project's id if the operation needs one and it is not given. */
async function inputOf(
  operation: AnyOperation,
  { param: params = {}, body: bodyFile, file: paths = [] }: Options,
  session: Session,
): Promise<Record<string, unknown>> {
  if (paths.length > 0 && operation.body.kind !== 'multipart') {
    throw new Failure('usage', {
      message: `${operation.id} does not accept files.`,
      where: { input: '--file' },
      hint: 'Give the body with --body, or its fields with --param.',
    });
  }
  const body = bodyFile === undefined ? {} : await readBody(session, bodyFile);
  const files = await Promise.all(paths.map((file) => openUpload(session, file)));
  const input = apiInput(operation, { params, body, files });
  if (!('projectId' in operation.params.shape) || 'projectId' in input) return input;
  return { projectId: await session.projectId(), ...input };
}

async function readBody(session: Session, file: string): Promise<Record<string, unknown>> {
  const content = await readInput(session, '--body', file);
  const where = file === '-' ? { input: '--body' } : { file };
  let value: unknown;
  try {
    value = parseExactJson(content);
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new Failure('usage', {
        message: `${cause.message}.`,
        where,
        hint: 'Write fewer digits. If the value is a text, put it into double quotes.',
      });
    throw new Failure('usage', {
      message: `The body is not valid JSON: ${messageOf(cause)}.`,
      where,
      hint: 'Give one JSON object, such as {"name": "finance"}.',
      cause,
    });
  }
  if (isRecord(value)) return { ...value };
  throw new Failure('usage', {
    message: 'The body must be a JSON object.',
    where,
    hint: 'Give one JSON object, such as {"name": "finance"}.',
  });
}
