import { Argument } from 'commander';
import { type AddCommand, commandAction, defineCommand } from '../../kit/command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** `millrace completion`: the script with which a shell completes commands, options and their values. */
export const addCompletion: AddCommand = (program, shell) => {
  defineCommand(program, 'completion', 'Print the completion script of a shell.')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .action(
      commandAction(shell, async ({ output }, _options, name = '') => {
        const { completionModel } = await import('../../kit/completion/model.ts');
        const { completionScript } = await import('../../kit/completion/script.ts');
        const script = completionScript(name, completionModel(await shell.wholeProgram()));
        output.result({ shell: name, script }, script.trimEnd().split('\n'));
        return 'passed';
      }),
    );
};
