import { readFileSync } from 'node:fs';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { keepPart } from '../world/exchange.ts';
import { badRequest, refuse } from '../refusal/refusal.ts';
import type { ArrivedFile } from '../store/file-store.ts';
import type { World } from '../world/world.ts';
import { watchContent } from './watch-content.ts';
import { wrongPath } from './wrong-path.ts';

export interface UploadedFile extends ArrivedFile {
  readonly path: string;
  content(): Buffer;
}

export interface Upload {
  readonly files: readonly UploadedFile[];
}

/**
 * Streams the files of a multipart body to temporary paths. If the upload is refused, they are deleted.
 * @throws Refusal 400 for a path or content that an artifact may not hold (spec §4.3), 413 for too much of anything.
 */
export async function receiveUpload(
  request: FastifyRequest,
  world: World,
  instance: string,
): Promise<Upload> {
  if (!request.isMultipart())
    throw refuse(415, 'The body must be multipart/form-data, one part per file (§4.3).');
  const { limits } = world;
  const files: UploadedFile[] = [];
  const paths = new Set<string>();
  let total = 0;
  try {
    const parts = request.parts({
      preservePath: true,
      limits: {
        fileSize: limits.fileBytes,
        fieldSize: limits.jsonBytes,
        parts: limits.parts,
        files: limits.parts,
        fields: limits.parts,
        fieldNameSize: 64 * 1024,
      },
    });
    for await (const part of parts) {
      const path = pathOf(part.fieldname);
      const wrong = paths.has(path) ? 'occurs twice' : wrongPath(path, limits.pathBytes);
      if (wrong !== undefined)
        throw badRequest(instance, [`The part "${path.slice(0, 200)}" ${wrong} (§4.3)`]);
      paths.add(path);
      const watch = watchContent(instance, path, (bytes) => {
        total += bytes;
        if (total > limits.uploadBytes) throw refuse(413, 'The upload is too large.');
      });
      const arrived = await world.files.receive(contentOf(part), watch);
      keepPart(request.watched?.exchange, { path, bytes: arrived.bytes, sha256: arrived.sha256 });
      files.push({ ...arrived, path, content: () => readFileSync(arrived.place) });
      if (part.type === 'file' && part.file.truncated) throw refuse(413, `The file "${path}" is too large.`);
      watch(undefined);
    }
    if (files.length === 0)
      throw badRequest(instance, ['The upload has no file; every file must be its own part (§4.3)']);
    return { files };
  } catch (error) {
    await world.files.discard(files);
    throw isParserError(error)
      ? badRequest(instance, [`The multipart body is broken: ${error.message}`])
      : error;
  }
}

/** The only three escapes in keys of form data: quotation mark, CR and LF. */
const pathOf = (key: string) => key.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');

/** The parser treats a part without a file name as a form field, but its key names a file (spec §4.3). */
function contentOf(part: Multipart): AsyncIterable<Uint8Array> {
  if (part.type === 'file') return part.file;
  return oneChunk(part);
}

async function* oneChunk(part: Multipart & { type: 'field' }): AsyncGenerator<Uint8Array> {
  if (part.valueTruncated)
    throw refuse(413, `The part "${part.fieldname}" is too large to be sent without a file name.`);
  // A part of the type application/json arrives parsed.
  const text = typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
  yield Buffer.from(text, 'utf8');
}

/** The parser's errors have only a message; errors of the framework and the file system also have a code. */
function isParserError(error: unknown): error is Error {
  if (!(error instanceof Error) || 'statusCode' in error || 'syscall' in error) return false;
  return error.constructor === Error;
}
