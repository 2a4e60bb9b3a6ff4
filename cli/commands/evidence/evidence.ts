import path from 'node:path';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { commandAction, type AddCommand, defineCommand, oneOf } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly out: string;
  readonly name: string;
}

/** `millrace evidence keygen`: creates a pair of keys that sign evidence. */
export const addEvidence: AddCommand = (program, shell) => {
  defineCommand(program, 'evidence', 'Create a pair of Ed25519 keys that sign evidence.')
    .argument('<action>', 'keygen', oneOf(['keygen']))
    .requiredOption('--out <file>', 'new file for the private key')
    .option('--name <name>', 'name of the key in worker.yaml', 'release')
    .action(
      commandAction<Options>(shell, async (session, { out, name }) => {
        const { createSigningKey, privateKeyText, publicKeyText } =
          await import('../../../lib/evidence/keys.ts');
        const key = createSigningKey();
        await writeNewFile(path.resolve(session.here, out), privateKeyText(key), out);
        const publicKey = publicKeyText(key);
        session.output.result({ name, file: out, publicKey, keyId: key.id }, [
          `Wrote the private key to ${out}. Store it as a secret of the repository, then delete the file.`,
          'Add the public key to the repository in worker.yaml:',
          '  evidence:',
          '    keys:',
          `      - name: ${name}`,
          `        public-key: ${publicKey}`,
        ]);
        return 'passed';
      }),
    );
};

/** Only its owner may read the file, and it replaces no other key. Throws Failure 'usage'. */
async function writeNewFile(file: string, text: string, shown: string): Promise<void> {
  const { writeFile } = await import('node:fs/promises');
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    throw new Failure('usage', {
      message: `The file ${shown} exists. A private key that is lost cannot be recovered.`,
      where: { input: '--out' },
      hint: 'Give --out the name of a new file.',
    });
  }
}
