import { relative, sep } from 'node:path';
import { importFault } from './import-fault.ts';

interface Source {
  readonly type: string;
  readonly value?: unknown;
}

interface RuleContext {
  readonly filename: string;
  readonly cwd: string;
  report(problem: { readonly node: unknown; readonly message: string }): void;
}

/** The linter's rule for the table of allowed imports. Types count as well: they tie folders together too. */
const allowedImports = {
  create(context: RuleContext) {
    const file = relative(context.cwd, context.filename).split(sep).join('/');
    const check = (node: { readonly source?: Source | null }): void => {
      if (node.source == null) return;
      const { value } = node.source;
      const message = importFault(file, typeof value === 'string' ? value : '?');
      if (message !== undefined) context.report({ node: node.source, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
      TSImportType: check,
    };
  },
};

export default { meta: { name: 'millrace' }, rules: { 'allowed-imports': allowedImports } };
