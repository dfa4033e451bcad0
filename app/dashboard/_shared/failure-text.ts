import { TRPCClientError } from '@trpc/client';
import type { ErrorCode } from '#server/lib/errors.ts';
import type { ToastOffer } from './show-toast.ts';

export type FailureWords = {
  wrong: string;
  conflict: string;
  failed: string;
  /** Where nobody knows what became of it. */
  unanswered?: string;
  /** Where the server's reason says too little. */
  forbidden?: string;
};

/**
 * How to go on from a page that is out of date. The session has ended: after a sign-in elsewhere
 * in the browser the page works on, with all that was typed. It shows another merchant than the
 * session's: loaded again, it shows what it may. Null for a call that was not refused for that.
 */
export function wayOn(error: unknown): ToastOffer | null {
  const code: unknown = error instanceof TRPCClientError ? error.data?.code : null;
  if (code === 'UNAUTHORIZED') return 'sign_in';
  return code === 'PRECONDITION_FAILED' ? 'reload' : null;
}

/** Whether a call was refused because its page is out of date. */
export function isOutdated(error: unknown): error is Error {
  return wayOn(error) !== null;
}

// The page shows what is not so, or not so any more.
const CONTRADICTING = new Set<unknown>(['CONFLICT', 'FORBIDDEN', 'NOT_FOUND']);

/** Whether a call was refused because things stand otherwise than its page shows. */
export function contradictsPage(error: unknown): boolean {
  return error instanceof TRPCClientError && CONTRADICTING.has(error.data?.code);
}

/** Whether nobody knows what became of a call: its answer was lost, or it never came there. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof TRPCClientError && error.data);
}

/** The code of what a procedure refused for; null for all else. */
export function refusedFor(error: unknown): ErrorCode | null {
  return error instanceof TRPCClientError ? (error.data?.reason ?? null) : null;
}

/** What whatever was thrown says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Says in the viewer's language why a call was refused. */
export function failureText(error: unknown, words: FailureWords): string {
  if (isOutdated(error)) return error.message;
  if (isUnanswered(error) && words.unanswered) return words.unanswered;
  if (!(error instanceof TRPCClientError)) return words.failed;
  const code: unknown = error.data?.code;
  // Only the server knows for how long.
  if (code === 'TOO_MANY_REQUESTS') return error.message;
  if (code === 'BAD_REQUEST') return words.wrong;
  if (code === 'FORBIDDEN') return words.forbidden ?? error.message;
  return code === 'CONFLICT' ? words.conflict : words.failed;
}
