import {
  type CancellationToken,
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  ErrorCodes,
  LSPErrorCodes,
  PrepareRenameRequest,
  type ProtocolConnection,
  RenameRequest,
  ResponseError,
} from 'vscode-languageserver-protocol/node';
import { Failure } from '../../lib/core/errors/failure.ts';
import { type AnswerParts, createAnswers } from './create-answers.ts';

interface Answering extends AnswerParts {
  /** Requests are answered only between `initialize` and `shutdown`. */
  state(): 'new' | 'ready' | 'ended';
  report(error: unknown): void;
}

/**
 * Answers the editor's requests about positions in documents. A failure becomes an error answer of the protocol; it
 * never ends the server.
 */
export function answerRequests(connection: ProtocolConnection, parts: Answering): void {
  const answers = createAnswers(parts);
  const answer =
    <Params, Result>(work: (params: Params, signal: AbortSignal) => Promise<Result>) =>
    async (params: Params, token: CancellationToken): Promise<Result | ResponseError> => {
      const refused = refusals[parts.state()];
      if (refused !== undefined) return refused;
      const cancel = new AbortController();
      token.onCancellationRequested(() => cancel.abort(new Error('the editor cancelled the request')));
      try {
        const result = await work(params, cancel.signal);
        return token.isCancellationRequested ? cancelled : result;
      } catch (error) {
        if (token.isCancellationRequested) return cancelled;
        return errorOf(error, parts);
      }
    };
  connection.onRequest(CompletionRequest.type, answer(answers.complete));
  connection.onRequest(DefinitionRequest.type, answer(answers.define));
  connection.onRequest(CodeActionRequest.type, answer(answers.actions));
  connection.onRequest(PrepareRenameRequest.type, answer(answers.prepareRename));
  connection.onRequest(RenameRequest.type, answer(answers.rename));
}

const cancelled = new ResponseError(LSPErrorCodes.RequestCancelled, 'The request was cancelled.');

const refusals = {
  new: new ResponseError(ErrorCodes.ServerNotInitialized, 'The first request must be "initialize".'),
  ready: undefined,
  ended: new ResponseError(ErrorCodes.InvalidRequest, 'The server was shut down.'),
};

function errorOf(error: unknown, { report }: Answering): ResponseError {
  if (error instanceof Failure) {
    return new ResponseError(LSPErrorCodes.RequestFailed, `${error.message} ${error.hint}`);
  }
  report(error);
  return new ResponseError(
    ErrorCodes.InternalError,
    'This is a defect of Millrace. Its log has the details.',
  );
}
