import { TRPCClientError } from '@trpc/client';

export type FailureWords = {
  wrong: string;
  conflict: string;
  failed: string;
  /** Where it can be refused to somebody who is signed in. */
  forbidden?: string;
};

/** Whether a call was refused because its page shows another merchant than the session's. */
export function isFromElsewhere(error: unknown): error is Error {
  return error instanceof TRPCClientError && error.data?.code === 'PRECONDITION_FAILED';
}

/** Says in the viewer's language why a call was refused. */
export function failureText(error: unknown, words: FailureWords): string {
  if (isFromElsewhere(error)) return error.message;
  if (!(error instanceof TRPCClientError)) return words.failed;
  const code: unknown = error.data?.code;
  // Only the server knows for how long.
  if (code === 'TOO_MANY_REQUESTS') return error.message;
  if (code === 'BAD_REQUEST') return words.wrong;
  if (code === 'FORBIDDEN' && words.forbidden) return words.forbidden;
  return code === 'CONFLICT' ? words.conflict : words.failed;
}
