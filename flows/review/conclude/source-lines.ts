import { decodeText } from '../../../lib/core/files/decode-text.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import type { SourceLine } from '../../../lib/report/terminal.ts';

/** Reads the files of findings again, for output that shows the lines. */
export async function readSourceLines(snapshot: Snapshot, findings: readonly Finding[]): Promise<SourceLine> {
  const texts = await snapshot.readFiles([...new Set(findings.map(({ file }) => file))], maxPipelineBytes);
  const lines = new Map(
    // Line breaks as in YAML and in our positions: LF, CRLF or a lone CR.
    Array.from(texts, ([file, bytes]) => [
      file,
      (decodeText(bytes).text ?? '').replace(/^\uFEFF/, '').split(/\r\n|\n|\r/),
    ]),
  );
  return ({ file, line }) => lines.get(file)?.[line - 1];
}
