import { GatewayError, type PlainErrorCode } from '../lib/errors.ts';

/** What came of acting on several at once. */
export type Deeds = {
  /** How many it was done to. */
  done: number;
  /** The others by their places in the call, each with the reason in the caller's language. */
  refused: { at: number; reason: string }[];
};

/** Puts what came of each into words. */
export function deedsInWords(
  asked: readonly string[],
  results: readonly { id: string; refusal: PlainErrorCode | null }[],
  inWords = ({ message }: GatewayError): string => message,
): Deeds {
  const refused = results.flatMap(({ id, refusal }) =>
    refusal === null ? [] : [{ at: asked.indexOf(id), reason: inWords(new GatewayError(refusal)) }],
  );
  return { done: results.length - refused.length, refused };
}
