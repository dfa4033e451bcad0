import type { Fault } from './multicard.ts';

/** The hook of a merchant's account and what opens it, by the merchant's id at the acquirer. */
export type Hooks = ReadonlyMap<string, { hookUrl: string; secret: string }>;

/** What the next calls of an operation meet, by the operation's name. */
export type Faults = Map<string, Fault[]>;

/** A hook is answered sooner, or the acquirer takes it for silent. */
const HOOK_LIMIT_MS = 10_000;
/** Where an answer is slow, the acquirer gives up on it while the gateway is still at work. */
const IMPATIENT_MS = 3;

/**
 * Calls a hook as an acquirer does.
 *
 * @returns the text of the answer
 * @throws where there is no answer: the acquirer then knows nothing, and has to call again
 */
export async function callHook(
  url: string,
  call: { body: string; headers: Record<string, string>; fault?: Fault | undefined },
): Promise<string> {
  const { body, headers, fault } = call;
  if (fault === 'cut before' || fault === '500') throw new Error(`nothing was sent to ${url}.`);
  const signal = AbortSignal.timeout(fault === 'slow' ? IMPATIENT_MS : HOOK_LIMIT_MS);
  let status: number;
  let answer: string;
  try {
    const response = await fetch(url, { method: 'POST', body, headers, signal });
    status = response.status;
    answer = await response.text();
  } catch (error) {
    throw new Error(`nothing answers at ${url}.`, { cause: error });
  }
  if (fault === 'cut after') throw new Error(`the answer of ${url} was lost.`);
  if (status !== 200) throw new Error(`${url} answered ${status}.`);
  return answer;
}

/** Takes the first fitting one out of a list, if there is one. */
export function takeFrom<T>(list: T[], fits: (each: T) => boolean): T | undefined {
  const at = list.findIndex(fits);
  return at < 0 ? undefined : list.splice(at, 1)[0];
}
