import { textOfFile } from '../../../engine/index.ts';
import { type DecodedText, decodeText } from '../../../lib/core/files/decode-text.ts';
import {
  decodePipeline,
  maxPipelineBytes,
  type PipelineDocument,
  unreadPipeline,
} from '../../../lib/pipelines/model/read-pipeline.ts';
import { usesVariable } from '../../../lib/pipelines/model/uses-variable.ts';

interface ProjectTexts {
  /** Throws FileProblems for a file that is not text. */
  text(path: string): string | undefined;
  pipeline(path: string): PipelineDocument | undefined;
  uses(file: string, variable: string): boolean;
}

/** Reads the texts of files, and the pipelines in them. Each file is read once. */
export function projectTexts({
  read,
  size,
  parsed,
}: {
  /** The bytes of a file; undefined if the project does not have it. */
  readonly read: (path: string) => Uint8Array | undefined;
  /** In bytes. */
  readonly size: (path: string) => number | undefined;
  /** Pipelines that were read before, by path. New ones are added. */
  readonly parsed?: Map<string, PipelineDocument> | undefined;
}): ProjectTexts {
  const texts = new Map<string, DecodedText>();
  const documents = new Map<string, PipelineDocument>();
  const decoded = (file: string): DecodedText | undefined => {
    const before = texts.get(file);
    if (before !== undefined) return before;
    const content = read(file);
    if (content === undefined) return undefined;
    const decodedText = decodeText(content);
    texts.set(file, decodedText);
    return decodedText;
  };
  const isLong = (file: string) => (size(file) ?? 0) > maxPipelineBytes;
  return {
    text(file) {
      const decodedText = decoded(file);
      return decodedText === undefined ? undefined : textOfFile(decodedText, file);
    },
    pipeline(file) {
      const before = documents.get(file);
      if (before !== undefined) return before;
      if (isLong(file)) {
        const unread = unreadPipeline(file);
        documents.set(file, unread);
        return unread;
      }
      const decodedText = decoded(file);
      if (decodedText === undefined) return undefined;
      const known = parsed?.get(file);
      const isSame = known !== undefined && known.source.text === decodedText.text;
      const document = isSame ? known : decodePipeline(file, decodedText);
      documents.set(file, document);
      parsed?.set(file, document);
      return document;
    },
    uses: (file, variable) => !isLong(file) && usesVariable(decoded(file)?.text ?? '', variable),
  };
}
