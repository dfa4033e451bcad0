import { TRPCClientError } from '@trpc/client';
import type { ErrorCode } from '#server/lib/errors.ts';
import type { ToastOffer } from './show-toast.ts';

export type FailureWords = {
  wrong: string;
  conflict: string;
  failed: string;
  /** The words for an unknown outcome. */
  unanswered?: string;
  /** The words for a refusal whose reason from the server is too short. */
  forbidden?: string;
};

/**
 * How to continue on a page that is out of date. After the session's end, a sign-in elsewhere in
 * the browser makes the page work again, with everything that was typed. A page that shows another
 * merchant than the session's has to be loaded again. Null for any other failure.
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

// The page shows something that is not true, or no longer.
const CONTRADICTING = new Set<unknown>(['CONFLICT', 'FORBIDDEN', 'NOT_FOUND']);

/** Whether a call was refused because the page's content is outdated. */
export function contradictsPage(error: unknown): boolean {
  return error instanceof TRPCClientError && CONTRADICTING.has(error.data?.code);
}

/** Whether a call's outcome is unknown: its answer was lost, or it never arrived. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof TRPCClientError && error.data);
}

/** The code of a procedure's refusal; null for anything else. */
export function refusedFor(error: unknown): ErrorCode | null {
  return error instanceof TRPCClientError ? (error.data?.reason ?? null) : null;
}

/** What the words of a refusal name, such as a field; nothing for all else. */
export function valuesOf(error: unknown): Record<string, string | number> {
  return error instanceof TRPCClientError ? (error.data?.values ?? {}) : {};
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The reason for a refused call in the viewer's language. */
export function failureText(error: unknown, words: FailureWords): string {
  if (isOutdated(error)) return error.message;
  if (isUnanswered(error) && words.unanswered) return words.unanswered;
  if (!(error instanceof TRPCClientError)) return words.failed;
  const code: unknown = error.data?.code;
  // Only the server knows the length of the wait.
  if (code === 'TOO_MANY_REQUESTS') return error.message;
  if (code === 'BAD_REQUEST') return words.wrong;
  if (code === 'FORBIDDEN') return words.forbidden ?? error.message;
  return code === 'CONFLICT' ? words.conflict : words.failed;
}
