/** The awaited answer did not come in time. */
export class NoAnswerError extends Error {}

/**
 * The result of `work`.
 *
 * @throws NoAnswerError when `limitMs` pass first; the work goes on
 */
export async function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswerError(`no answer within ${limitMs} ms`)), limitMs);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
