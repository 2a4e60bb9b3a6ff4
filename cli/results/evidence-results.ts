import * as z from 'zod';
import type { VerifyReport } from '../../flows/evidence/report.ts';
import { evidenceKinds } from '../../lib/evidence/evidence-kinds.ts';
import { covers } from './covers.ts';

/** The list of files of a version, with the id of each file in git. */
export const sentFiles = z
  .array(
    z.object({
      path: z.string(),
      bytes: z.int(),
      sha256: z.string(),
      mode: z.string().optional().describe('Git’s mode; absent for a connector.'),
      gitBlob: z.string().optional().describe('Id of the blob in git; absent for a connector.'),
    }),
  )
  .describe('The files that were or would be sent, relative to the project.');

const evidenceKind = z.enum(evidenceKinds);

export const verifyResult = covers(
  z.object({
    outcome: z.enum(['passed', 'failed']),
    version: z.string(),
    repository: z.string(),
    commit: z.string(),
    tree: z.string(),
    rules: z.array(
      z.object({
        kind: evidenceKind,
        mode: z.enum(['warn', 'require']),
        isMet: z.boolean(),
        text: z.string().optional().describe('Why the rule is not met.'),
        file: z.string().optional().describe('The statement that meets the rule.'),
      }),
    ),
    statements: z.array(
      z.object({
        file: z.string(),
        status: z.enum(['accepted', 'refused']),
        kind: evidenceKind.optional(),
        reason: z.string().optional(),
        text: z.string().optional().describe('Why the statement is refused.'),
        madeAt: z.string().optional(),
        key: z.string().optional().describe('Name of the key that signed it.'),
      }),
    ),
  }),
)<VerifyReport>();

export const keygenResult = z.object({
  name: z.string(),
  file: z.string().describe('The file with the private key.'),
  publicKey: z.string(),
  keyId: z.string().describe('SHA-256 of the public key in DER.'),
});
