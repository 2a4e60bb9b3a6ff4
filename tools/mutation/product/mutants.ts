import { parseSync, Visitor } from 'oxc-parser';

/** One small change of the product's code. */
export interface Mutant {
  /** From the root of the repository. */
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** What changed, for a person. */
  readonly change: string;
  /** The whole file with the change. */
  readonly text: string;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const comparisons: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '-': '+',
  '*': '+',
};
const connectives: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

/** Lines that only log or show progress: tests need not notice their changes. */
const saysOnly = /^(?:await )?[\w.]*(?:logger|log|output|progress)[\w.?]*\(/i;

/**
 * Every mutant of a file: a comparison, a condition, a connective, a number or a truth value becomes another, the branches of a
 * choice change places, a call is left out. Texts stay as they are: most are messages.
 */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const { program } = parseSync(file, source);
  const edits: Edit[] = [];
  const textOf = ({ start, end }: { start: number; end: number }): string => source.slice(start, end);
  const replace = ({ start, end }: { start: number; end: number }, replacement: string): void =>
    void edits.push({ start, end, replacement });
  const swap = (
    { left, right, operator }: { left: Range; right: Range; operator: string },
    others: typeof comparisons,
  ): void => {
    const other = others[operator];
    const between = { start: left.end, end: right.start };
    if (other !== undefined) replace(between, textOf(between).replace(operator, other));
  };
  new Visitor({
    BinaryExpression: (node) => swap(node, comparisons),
    LogicalExpression(node) {
      if (node.operator === '??') replace(node, textOf(node.left));
      else swap(node, connectives);
    },
    IfStatement: ({ test }) => replace(test, `!(${textOf(test)})`),
    ConditionalExpression: ({ consequent, alternate }) =>
      replace(
        { start: consequent.start, end: alternate.end },
        `(${textOf(alternate)}) : (${textOf(consequent)})`,
      ),
    Literal(node) {
      if (typeof node.value === 'number') replace(node, String(node.value + 1));
      if (typeof node.value === 'boolean') replace(node, String(!node.value));
    },
    ExpressionStatement(node) {
      const { expression } = node;
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
      if (call.type === 'CallExpression' && !saysOnly.test(textOf(expression))) replace(node, ';');
    },
  }).visit(program);
  return edits
    .filter(({ start }) => !isInType(program, start))
    .map(({ start, end, replacement }) => ({
      file,
      line: source.slice(0, start).split('\n').length,
      change: `${oneLine(source.slice(start, end))} → ${oneLine(replacement)}`,
      text: source.slice(0, start) + replacement + source.slice(end),
    }));
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whether a place is in a type: Node removes types, so a change there changes nothing. */
function isInType(program: ReturnType<typeof parseSync>['program'], at: number): boolean {
  let isInside = false;
  const look = ({ start, end }: Range): void => {
    isInside ||= start <= at && at < end;
  };
  new Visitor({ TSTypeAnnotation: look, TSInterfaceDeclaration: look, TSTypeAliasDeclaration: look }).visit(
    program,
  );
  return isInside;
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 70 ? `${line.slice(0, 70)}…` : line;
}
