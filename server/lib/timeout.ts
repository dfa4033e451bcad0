/** What was waited for has not come in time. */
export class NoAnswerError extends Error {}

/**
 * What `work` comes to.
 *
 * @throws NoAnswerError when `limitMs` have passed before; the work goes on
 */
export async function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswerError(`no answer within ${limitMs} ms`)), limitMs);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
