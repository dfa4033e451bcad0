/**
 * What `work` comes to.
 *
 * @throws Error when `limitMs` have passed before; the work goes on
 */
export async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
